// Judges recorded answers as the command urlconform did. Each file of the folder
// URLCONFORM_REPLAY begins with what a library says of itself. The answers of a
// library are also given by an implementation. Those in files with the name odd are
// not, because no library could give them all.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { Rejected, SAME_DOCUMENT, Unsupported } from '../index.js';
import { readCases, readManifest, specsOf } from '../lib/bundle.js';
import { Judge } from '../lib/judge.js';
import { METHODS, ask } from '../lib/operations.js';
import { bytesOf, isHex, isObject } from '../lib/values.js';

const FOLDER = process.env.URLCONFORM_REPLAY;

const files = FOLDER ? readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl')) : [];

test('there are recorded answers', { skip: !FOLDER && 'URLCONFORM_REPLAY names no folder' }, () => {
  assert.notEqual(files.length, 0);
});

if (files.length > 0) {
  const manifest = readManifest();
  const cases = new Map();
  for (const testCase of specsOf(manifest).flatMap((spec) => readCases(manifest, spec, false))) {
    cases.set(testCase.id, testCase);
  }
  for (const file of files) {
    test(file, async (t) => {
      const [first, ...lines] = readFileSync(join(FOLDER, file), 'utf8').trimEnd().split('\n');
      const judge = new Judge(JSON.parse(first).tells_empty_from_absent);
      const differences = [];
      let replayed = 0;
      for (const line of lines) {
        const recorded = JSON.parse(line);
        const testCase = cases.get(recorded.id);
        const answers = [recorded.answer];
        if (!file.startsWith('odd') && canBeReplayed(recorded.answer)) {
          answers.push(await ask(replayer(recorded.answer), testCase));
          replayed += 1;
        }
        for (const answer of answers) {
          const { outcome, variant } = judge.judge(testCase, answer);
          if (outcome !== recorded.outcome || variant !== recorded.variant) {
            differences.push({ ...recorded, got: { answer, outcome, variant } });
          }
        }
      }
      t.diagnostic(`${lines.length} answers, ${replayed} of them by an implementation`);
      assert.deepEqual(differences, []);
    });
  }
}

/**
 * Returns whether a library can give an answer: it has no outcome of a process, and
 * no URL of a reference to the same document.
 */
function canBeReplayed({ status, url, same_document: isSameDocument }) {
  if (url !== undefined && isSameDocument) {
    return false;
  }
  return ['ok', 'reject', 'unsupported', 'error'].includes(status);
}

/** Returns a library that gives one recorded answer, whatever it is asked. */
function replayer(answer) {
  const give = (question) => {
    switch (answer.status) {
      case 'reject':
        throw new Rejected('rejected');
      case 'unsupported':
        throw new Unsupported('not supported');
      case 'error':
        throw new Error('a failure');
    }
    if (answer.same_document) {
      return SAME_DOCUMENT;
    }
    const fields = Object.keys(answer).filter((name) => !['status', 'message'].includes(name));
    return question.op === 'validate' ? true : ofLibrary(answer[fields[0]]);
  };
  const methods = Object.fromEntries(METHODS.map((method) => [method, give]));
  return { name: 'replayer', takesBytes: true, ...methods };
}

/** Returns a value of JSON as a library has it, with bytes for hex. */
function ofLibrary(value) {
  if (isHex(value)) {
    return new Uint8Array(bytesOf(value));
  }
  if (Array.isArray(value)) {
    return value.map(ofLibrary);
  }
  if (!isObject(value)) {
    return value;
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, ofLibrary(part)]));
}
