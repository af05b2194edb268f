<?php
// Prints the answer of a pattern to each text; see test_patterns.py for both formats.
ini_set('pcre.backtrack_limit', '1000000000');
ini_set('memory_limit', '-1');

[$pattern, $lines] = explode("\n", rtrim(file_get_contents('php://stdin'), "\n"), 2) + [1 => ''];
foreach (explode("\n", $lines) as $line) {
    $text = hex2bin(substr($line, 1));
    $answer = preg_match("\x01{$pattern}\x01u", $text, $groups, PREG_UNMATCHED_AS_NULL);
    if ($answer === false) {
        fwrite(STDERR, preg_last_error_msg() . "\n");
        exit(1);
    }
    if ($answer === 0) {
        echo "null\n";
        continue;
    }
    // a named group stands in the list by its number, too
    $numbered = array_filter($groups, is_int(...), ARRAY_FILTER_USE_KEY);
    echo json_encode(array_slice($numbered, 1), JSON_UNESCAPED_UNICODE), "\n";
}
