import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { abbreviated, equalValues, toJSON, withLowerHex } from './values.js';

const SCHEMA = 'urlbaseline-2';

/** The fields of an entry that a runner writes, in their order. */
const FIELDS = ['id', 'outcome', 'got', 'digest', 'issue', 'note'];

/**
 * A file of known failures. The runner reads and writes its entries only; all
 * else in the file belongs to the command urlconform.
 */
export class KnownFailures {
  #before; // the text of the file before the list of entries
  #after;

  /**
   * @param {string | null} file its path
   * @param {string} content its text
   */
  constructor(file, content) {
    this.file = file;
    const document = JSON.parse(content);
    if (document?.schema !== SCHEMA) {
      throw new Error(`the schema is ${JSON.stringify(document?.schema)}, not "${SCHEMA}"`);
    }
    if (!Array.isArray(document.entries)) {
      throw new Error('it has no entries');
    }
    this.entries = new Map();
    for (const entry of document.entries) {
      if (this.entries.has(entry.id)) {
        throw new Error(`${entry.id}: listed twice`);
      }
      this.entries.set(entry.id, { ...entry, got: withLowerHex(entry.got) });
    }
    const { start, end } = placeOfEntries(content);
    this.#before = content.slice(0, start);
    this.#after = content.slice(end);
  }

  /**
   * Compares the result of a case with the list. Returns "new" (it is not listed),
   * "stale" (it passes now), "moved" (question or admitted answers have changed),
   * "lost" (there is no whole answer any more), "changed" (it fails in another
   * way), or "" if there is nothing to say.
   */
  find(testCase, outcome, answer) {
    const entry = this.entries.get(testCase.id);
    if (entry === undefined) {
      return isFailureOf(testCase, outcome) ? 'new' : '';
    }
    if (outcome === 'pass' || outcome === 'variant') {
      return 'stale';
    }
    if (entry.digest !== testCase.digest) {
      return 'moved';
    }
    if (entry.outcome === outcome && equalValues(entry.got, gotOf(answer))) {
      return '';
    }
    return !isFailure(outcome) && entry.outcome === 'fail' ? 'lost' : 'changed';
  }

  /** Makes the entry of a case fit its result. */
  accept(testCase, outcome, answer) {
    const { id, digest } = testCase;
    const entry = this.entries.get(id);
    if (!isFailure(outcome)) {
      this.entries.delete(id);
    } else if (entry !== undefined || isFailureOf(testCase, outcome)) {
      this.entries.set(id, { ...entry, id, outcome, got: gotOf(answer), digest });
    }
  }

  /** Writes the list into its file, unless the file has the same content. */
  write() {
    const content = this.toString();
    if (readIfThere(this.file) !== content) {
      mkdirSync(dirname(this.file), { recursive: true });
      writeFileSync(this.file, content);
    }
  }

  /**
   * Returns the text of the file, with the entries as the command urlconform
   * writes them: sorted, and one on each line.
   */
  toString() {
    const ids = [...this.entries.keys()].sort();
    const lines = ids.map((id) => `\n  ${entryText(this.entries.get(id))}`);
    const end = lines.length > 0 ? '\n ' : '';
    return `${this.#before}[${lines.join(',')}${end}]${this.#after}`;
  }
}

/**
 * Returns the list of known failures in a file. If there is no such file, it is
 * an empty list for a new one.
 */
export function readKnownFailures(file, name, corpus, specs) {
  const existing = file === null ? null : readIfThere(file);
  const content = existing ?? newFile(name, corpus, specs);
  try {
    return new KnownFailures(file, content);
  } catch (error) {
    throw new Error(`${file}: ${error.message}`, { cause: error });
  }
}

/** Returns whether the outcome of a required case is a failure. */
export function isFailure(outcome) {
  return !['pass', 'variant', 'partial', 'unsupported'].includes(outcome);
}

function isFailureOf(testCase, outcome) {
  return testCase.binding === 'required' && isFailure(outcome);
}

/** Returns an answer as the list has it. Long texts are abbreviated. */
export function gotOf(answer) {
  if (!['ok', 'reject', 'error'].includes(answer.status)) {
    return {};
  }
  const { message, ...got } = answer;
  return abbreviated(got);
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') {
      return null;
    }
    throw error;
  }
}

function newFile(name, corpus, specs) {
  const lines = [
    `"schema": ${toJSON(SCHEMA)}`,
    `"corpus": ${toJSON(corpus)}`,
    `"implementation": ${toJSON(name)}`,
    `"spec": ${toJSON(specs)}`,
    '"entries": []',
  ];
  return `{\n ${lines.join(',\n ')}\n}\n`;
}

function entryText(entry) {
  const fields = FIELDS.filter((name) => entry[name]);
  return `{${fields.map((name) => `${toJSON(name)}: ${toJSON(entry[name])}`).join(', ')}}`;
}

/** Returns where the list of entries begins and ends in the text of a file. */
function placeOfEntries(content) {
  const tokens = /"(?:[^"\\]|\\.)*"|[[\]{}:]/g;
  let depth = 0;
  let lastString = '';
  let name = ''; // of the member of the outermost object
  let start = 0;
  for (const { 0: token, index } of content.matchAll(tokens)) {
    if (token === ':') {
      name = depth === 1 ? JSON.parse(lastString) : name;
    } else if (token === '[' || token === '{') {
      start = depth === 1 ? index : start;
      depth += 1;
    } else if (token === ']' || token === '}') {
      depth -= 1;
      if (depth === 1 && name === 'entries') {
        return { start, end: index + 1 };
      }
    } else {
      lastString = token;
    }
  }
  throw new Error('it has no entries');
}
