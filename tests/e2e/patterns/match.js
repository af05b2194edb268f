// Prints the answer of a pattern to each text; see test_patterns.py for both formats.
"use strict";
const { readFileSync } = require("node:fs");

const [flags = ""] = process.argv.slice(2);
const [pattern, ...lines] = readFileSync(0, "utf8").trimEnd().split("\n");
const regex = new RegExp(pattern, flags);
for (const line of lines) {
  const match = regex.exec(Buffer.from(line.slice(1), "hex").toString("utf8"));
  const groups = match && match.slice(1).map((text) => (text === undefined ? null : text));
  process.stdout.write(`${JSON.stringify(groups)}\n`);
}
