/**
 * PHP 8.5 in WebAssembly as a command: `node webassembly.mjs FOLDER adapter.php LIBRARY RFCS`.
 *
 * FOLDER is the folder in which npm has installed PHP. PHP sees copies of the two files. The class PHP of
 * \@php-wasm/universal is not used, because it returns no output before the end of the program.
 */

import { readFileSync, readSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, program, library, rfcs] = process.argv.slice(2);
const require = createRequire(pathToFileURL(join(folder, "package.json")));
const { getPHPLoaderModule } = await import(
  pathToFileURL(require.resolve("@php-wasm/node-8-5"))
);
const { init } = await getPHPLoaderModule();

// PHP asks for 8192 bytes at a time. Half of them are read, so that `undefined` always ends a read that has
// returned bytes.
const chunk = Buffer.alloc(4096);
let at = 0;
let end = 0;
let paused = true;

/** Return the next byte of stdin, undefined if no more is there, or null at the end. */
function stdin() {
  if (at === end) {
    paused = !paused;
    if (paused) return undefined;
    at = 0;
    end = readSync(0, chunk);
    if (end === 0) return null;
  }
  return chunk[at++];
}

const php = await new Promise((resolve) => {
  const module = init("NODE", {
    processId: 1,
    noInitialRun: true,
    locateFile: (path) => path,
    stdin,
    onStdout: (bytes) => writeAll(1, bytes),
    onStderr: (bytes) => writeAll(2, bytes),
    quit: (code) => process.exit(code),
    onRuntimeInitialized: () => resolve(module),
  });
});
php.FS.writeFile("/adapter.php", readFileSync(program));
php.FS.writeFile("/rfcs.json", readFileSync(rfcs));
for (const word of ["php", "/adapter.php", library, "/rfcs.json"]) {
  php.ccall("wasm_add_cli_arg", null, ["string"], [word]);
}
await php.ccall("run_cli", null, [], [], { async: true });

function writeAll(file, bytes) {
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
}
