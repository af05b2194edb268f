import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';

import { KnownFailures, readKnownFailures } from '../lib/known.js';
import { describeFinding } from '../lib/report.js';
import { abbreviated } from '../lib/values.js';

const ID = 'rfc3986-5.2.4-a';
const WRONG = { status: 'ok', url: 'a:b' };
const OTHER = { status: 'ok', url: 'a:c' };
const REJECTION = { status: 'reject' };

const listOf = (...entries) =>
  new KnownFailures('known.json', JSON.stringify({ schema: 'urlbaseline-2', entries }));

const entryOf = (outcome, got, digest = 'd') => ({ id: ID, outcome, got, digest });

describe('findings', () => {
  for (const [name, entries, binding, outcome, answer, finding] of [
    ['no entry, passes', [], 'required', 'pass', WRONG, ''],
    ['no entry, fails', [], 'required', 'fail', WRONG, 'new'],
    ['no entry, error', [], 'required', 'error', { status: 'error' }, 'new'],
    ['no entry, partial', [], 'required', 'partial', WRONG, ''],
    ['no entry, not required', [], 'permitted-set', 'fail', WRONG, ''],
    ['known', [entryOf('fail', WRONG)], 'required', 'fail', WRONG, ''],
    [
      'known, with another message',
      [entryOf('fail', REJECTION)],
      'required',
      'fail',
      { ...REJECTION, message: 'why' },
      '',
    ],
    [
      'known, with other digits',
      [entryOf('fail', { status: 'ok', url: { hex: 'FF' } })],
      'required',
      'fail',
      { status: 'ok', url: { hex: 'ff' } },
      '',
    ],
    ['passes', [entryOf('fail', WRONG)], 'required', 'pass', OTHER, 'stale'],
    ['variant', [entryOf('fail', WRONG)], 'permitted-set', 'variant', OTHER, 'stale'],
    ['passes and moved', [entryOf('fail', WRONG, 'e')], 'required', 'pass', OTHER, 'stale'],
    ['moved', [entryOf('fail', WRONG, 'e')], 'required', 'fail', WRONG, 'moved'],
    ['another answer', [entryOf('fail', WRONG)], 'required', 'fail', OTHER, 'changed'],
    ['another outcome', [entryOf('error', WRONG)], 'required', 'fail', WRONG, 'changed'],
    [
      'not offered',
      [entryOf('fail', WRONG)],
      'required',
      'unsupported',
      { status: 'unsupported' },
      'lost',
    ],
    ['partial', [entryOf('fail', WRONG)], 'required', 'partial', OTHER, 'lost'],
    ['partial after an error', [entryOf('error', {})], 'required', 'partial', OTHER, 'changed'],
  ]) {
    test(name, () => {
      const testCase = { id: ID, digest: 'd', binding };
      assert.equal(listOf(...entries).find(testCase, outcome, answer), finding);
    });
  }
});

const FILE = `{
  "schema": "urlbaseline-2",
  "answered":   {"entries": {"re:s[olve": 7}},
  "entries": [
 {"id": "rfc3986-5.2.4-b", "outcome": "fail", "got": {"status": "ok", "url": "é]}"}, "digest": "0123456789ab", "issue": "#7"},
 {"id": "rfc3986-5.2.4-a", "outcome": "fail", "got": {"status": "reject"}, "digest": "0123456789ab", "note": "why"}
], "further": [1,2]}`;

test('writing leaves all but the entries', () => {
  const known = new KnownFailures('known.json', FILE);
  known.accept({ id: ID, digest: 'd', binding: 'required' }, 'fail', WRONG);
  assert.equal(
    String(known),
    `{
  "schema": "urlbaseline-2",
  "answered":   {"entries": {"re:s[olve": 7}},
  "entries": [
  {"id": "rfc3986-5.2.4-a", "outcome": "fail", "got": {"status": "ok", "url": "a:b"}, "digest": "d", "note": "why"},
  {"id": "rfc3986-5.2.4-b", "outcome": "fail", "got": {"status": "ok", "url": "\\u00e9]}"}, "digest": "0123456789ab", "issue": "#7"}
 ], "further": [1,2]}`,
  );
});

describe('what update lists', () => {
  for (const [name, id, binding, outcome, isListed] of [
    ['a new failure', 'rfc3986-5.2.4-new', 'required', 'fail', true],
    ['a new failure that is not required', 'rfc3986-5.2.4-new', 'unspecified', 'fail', false],
    ['a known failure', ID, 'required', 'fail', true],
    ['a known failure that is not required', ID, 'unspecified', 'fail', true],
    ['what passes now', ID, 'required', 'pass', false],
    ['what is partial now', ID, 'required', 'partial', false],
  ]) {
    test(name, () => {
      const known = new KnownFailures('known.json', FILE);
      known.accept({ id, binding, digest: 'd' }, outcome, OTHER);
      assert.equal(known.entries.has(id), isListed);
    });
  }
});

describe('what a report says of the list', () => {
  for (const [name, entries, finding, words] of [
    ['new', [], 'new', 'it is not in known.json'],
    ['passes', [], '', ''],
    [
      'known',
      [{ ...entryOf('fail', WRONG), issue: '#7', note: 'why' }],
      '',
      'it is in known.json; #7; why',
    ],
    [
      'stale',
      [entryOf('fail', WRONG)],
      'stale',
      'it is in known.json, but passes now: remove its entry',
    ],
  ]) {
    test(name, () => {
      assert.equal(describeFinding({ id: ID }, finding, listOf(...entries)), words);
    });
  }
});

test('a new file is written into a new folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'urlconform-'));
  after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'new', 'known.json');
  readKnownFailures(file, 'é', '0123456789ab', ['rfc3986']).write();
  assert.equal(
    readFileSync(file, 'utf8'),
    `{
 "schema": "urlbaseline-2",
 "corpus": "0123456789ab",
 "implementation": "\\u00e9",
 "spec": ["rfc3986"],
 "entries": []
}
`,
  );
});

describe('what is no list is refused', () => {
  for (const [name, content, message] of [
    ['no JSON', '?', /JSON/],
    ['no object', '[]', /the schema is/],
    ['an older schema', '{"schema": "urlbaseline-1", "entries": []}', /not "urlbaseline-2"/],
    ['no entries', '{"schema": "urlbaseline-2"}', /no entries/],
    [
      'an entry twice',
      '{"schema": "urlbaseline-2", "entries": [{"id": "a"}, {"id": "a"}]}',
      /a: listed twice/,
    ],
  ]) {
    test(name, () => assert.throws(() => new KnownFailures('known.json', content), message));
  }
});

describe('long texts are abbreviated', () => {
  for (const [name, value, short] of [
    ['1,024 characters', '😀'.repeat(1024), '😀'.repeat(1024)],
    [
      '1,025 characters',
      'é'.repeat(1025),
      `${'é'.repeat(80)}… (1,025 characters, SHA-256 7401d66e53876ff539ca56c712df32fc80df1299bf461199add1c50723cfe6cd)`,
    ],
    [
      '513 bytes',
      { hex: 'ff'.repeat(513) },
      `hex ${'ff'.repeat(40)}… (513 bytes, SHA-256 ea032debaa72c17dae01588597abe1bf263f08612fe41bd4a599e6b3480f0bec)`,
    ],
  ]) {
    test(name, () => assert.equal(abbreviated(value), short));
  }
});
