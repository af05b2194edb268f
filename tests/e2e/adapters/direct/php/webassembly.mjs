// Run direct.php with PHP in WebAssembly: `webassembly.mjs FOLDER LIBRARY`. FOLDER contains node_modules.

import { readFileSync } from "node:fs";
import process from "node:process";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const [folder, library] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(`${folder}/node_modules/@php-wasm/${name}/index.js`));
const { PHP, loadPHPRuntime } = await load("universal");
const { getPHPLoaderModule } = await load("node-8-5");

const php = new PHP(await loadPHPRuntime(await getPHPLoaderModule()));
php.mkdir("/direct");
php.writeFile("/direct/direct.php", readFileSync(new URL("direct.php", import.meta.url)));
php.writeFile("/direct/questions.jsonl", await text(process.stdin));
const done = await php.run({
  scriptPath: "/direct/direct.php",
  env: { DIRECT_LIBRARY: library, DIRECT_QUESTIONS: "/direct/questions.jsonl" },
});
process.stdout.write(done.text);
process.stderr.write(done.errors);
process.exitCode = done.exitCode;
