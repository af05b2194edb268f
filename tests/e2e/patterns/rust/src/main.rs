// Prints the answer of a pattern to each text; see test_patterns.py for both formats.

use std::io::{self, BufRead, BufWriter, Write};

fn main() -> io::Result<()> {
    let stdin = io::stdin();
    let mut lines = stdin.lock().lines();
    let pattern = lines.next().expect("a pattern")?;
    let regex = regex::Regex::new(&pattern).expect("a pattern of this flavour");
    let mut output = BufWriter::new(io::stdout());
    for line in lines {
        let text = decoded(&line?[1..]);
        match regex.captures(&text) {
            None => writeln!(output, "null")?,
            Some(captures) => {
                let groups: Vec<String> = captures
                    .iter()
                    .skip(1)
                    .map(|group| group.map_or("null".to_string(), |text| quoted(text.as_str())))
                    .collect();
                writeln!(output, "[{}]", groups.join(","))?;
            }
        }
    }
    output.flush()
}

fn decoded(hexadecimal: &str) -> String {
    let bytes = (0..hexadecimal.len())
        .step_by(2)
        .map(|index| u8::from_str_radix(&hexadecimal[index..index + 2], 16).expect("two digits"))
        .collect();
    String::from_utf8(bytes).expect("UTF-8")
}

fn quoted(text: &str) -> String {
    let units: String = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
    format!("\"{units}\"")
}
