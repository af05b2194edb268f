// Prints the answer of a pattern to each text; see test_patterns.py for both formats.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"regexp"
	"strings"
)

func main() {
	input, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	lines := strings.Split(strings.TrimRight(string(input), "\n"), "\n")
	regex := regexp.MustCompile(lines[0])
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	encoder := json.NewEncoder(output)
	for _, line := range lines[1:] {
		text, err := hex.DecodeString(line[1:])
		if err != nil {
			panic(err)
		}
		match := regex.FindSubmatchIndex(text)
		var groups []*string
		if match != nil {
			groups = []*string{}
			for index := 2; index < len(match); index += 2 {
				if match[index] < 0 {
					groups = append(groups, nil)
					continue
				}
				group := string(text[match[index]:match[index+1]])
				groups = append(groups, &group)
			}
		}
		if err := encoder.Encode(groups); err != nil {
			panic(err)
		}
	}
}
