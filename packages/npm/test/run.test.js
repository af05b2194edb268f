import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Unsupported, run } from '../index.js';

const LIBRARY_TEST = fileURLToPath(new URL('libraries/conformance.js', import.meta.url));
const ONE_SECTION = 'rfc3986/5.4.1/';

const folder = mkdtempSync(join(tmpdir(), 'urlconform-'));
after(() => rmSync(folder, { recursive: true }));

/** Answers each reference with the reference. */
const first = { name: 'first', resolve: ({ reference }) => reference };

/** Answers each reference with base and reference. */
const merging = { name: 'merging', resolve: ({ base, reference }) => base + reference };

const hesitant = {
  name: 'hesitant',
  resolve() {
    throw new Unsupported('not today');
  },
};

const options = { specs: ['rfc3986'], filter: ONE_SECTION };

describe('run', () => {
  test('the filter selects a section', async () => {
    const { results } = await run(first, options);
    assert.ok(results.length >= 20);
    assert.deepEqual(
      results.filter((result) => !result.name.startsWith(ONE_SECTION)),
      [],
    );
  });

  test('a wrong answer is not ok', async () => {
    assert.equal((await run(first, options)).ok, false);
  });

  test('short leaves out long texts', async () => {
    const filter = /./;
    const all = await run(hesitant, { specs: ['rfc3986'], filter });
    const short = await run(hesitant, { specs: ['rfc3986'], filter, short: true });
    assert.ok(short.results.length < all.results.length);
  });

  test('an operation that is not offered is not asked', async () => {
    const { results, counts } = await run(first, { ...options, filter: 'rfc3986/3.2.2/' });
    assert.equal(results.length, 0);
    assert.ok(counts.outcomes.unsupported > 0);
  });

  test('a failure is readable', async () => {
    const { results } = await run(first, { ...options, filter: '/ex-02$' });
    const [{ report }] = results.filter((result) => result.id === 'rfc3986-5.4.1-ex-02');
    const lines = report.split('\n');
    assert.equal(lines[0], 'rfc3986-5.4.1-ex-02: fail');
    assert.match(lines[1], /^RFC 3986, section 5\.4\.1, paragraph \d+: ./);
    assert.equal(lines[2], '  asked     resolve base "http://a/b/c/d;p?q" reference "g"');
    assert.equal(lines[3], '  answered  url "g"');
    assert.equal(lines[4], '  admitted  url "http://a/b/c/g"');
  });

  test('known failures are ok', async () => {
    const knownFailures = join(folder, 'known.json');
    await run(first, { ...options, knownFailures, update: true });
    assert.equal((await run(first, { ...options, knownFailures })).ok, true);
  });

  test('another failure than the known one is not ok', async () => {
    const knownFailures = join(folder, 'another.json');
    await run(first, { ...options, knownFailures, update: true });
    const { results } = await run(merging, { ...options, knownFailures });
    const changed = results.find((result) => result.id === 'rfc3986-5.4.1-ex-02');
    assert.equal(changed.finding, 'changed');
  });

  test('a case that was not asked keeps its entry', async () => {
    const knownFailures = join(folder, 'kept.json');
    await run(first, { ...options, knownFailures, update: true });
    await run(first, { ...options, knownFailures, update: true, filter: 'no such case' });
    assert.equal((await run(first, { ...options, knownFailures })).ok, true);
  });

  for (const [name, implementation, wrongOptions, message] of [
    ['a library without operations', { name: 'nothing' }, {}, /has no operation/],
    ['a library without a name', { resolve: () => '' }, {}, /has no name/],
    ['an unknown RFC', first, { specs: ['rfc1'] }, /unknown RFC "rfc1"/],
    ['no RFC', first, { specs: [] }, /names no RFC/],
    ['an unknown option', first, { spec: ['rfc3986'] }, /there is no option spec/],
    ['an update of no file', first, { update: true }, /has to name the file/],
  ]) {
    test(`${name} is refused`, async () => {
      await assert.rejects(run(implementation, wrongOptions), message);
    });
  }
});

/** Runs a test of a library in node:test. */
function nodeTest(library, { file = '', pattern = ONE_SECTION, ...variables } = {}) {
  const { NODE_TEST_CONTEXT, ...environment } = process.env;
  const env = { ...environment, TEST_LIBRARY: library, TEST_KNOWN_FAILURES: file, ...variables };
  const command = ['--test', '--test-reporter=tap', `--test-name-pattern=${pattern}`, LIBRARY_TEST];
  return spawnSync(process.execPath, command, { env, encoding: 'utf8' });
}

/** Returns the names of the cases that ran and whose line in TAP has these words. */
function names(stdout, words) {
  const lines = stdout.split('\n').filter((line) => !line.includes('does not match pattern'));
  const pattern = new RegExp(`^ *${words}`);
  return lines.filter((line) => pattern.test(line)).flatMap((line) => /rfc\S+/.exec(line) ?? []);
}

describe('node:test', () => {
  test('the pattern selects a section', () => {
    const { stdout, status } = nodeTest('first');
    const ran = names(stdout, '(not )?ok \\d+ - rfc');
    assert.equal(status, 1);
    assert.ok(ran.length >= 20);
    assert.deepEqual(
      ran.filter((name) => !name.startsWith(ONE_SECTION)),
      [],
    );
  });

  test('cases that the library cannot be asked are skipped', () => {
    const { stdout, status } = nodeTest('hesitant');
    assert.equal(status, 0);
    assert.ok(names(stdout, 'ok \\d+ - rfc.* # SKIP').length >= 20);
  });

  test('known failures are todo', () => {
    const file = join(folder, 'todo.json');
    assert.equal(nodeTest('first', { file, URLCONFORM_UPDATE: '1' }).status, 0);
    assert.ok(existsSync(file));
    const { stdout, status } = nodeTest('first', { file });
    assert.equal(status, 0);
    assert.ok(names(stdout, 'not ok \\d+ - rfc.* # TODO').length > 0);
  });

  test('a known failure that passes now fails', () => {
    const file = join(folder, 'stale.json');
    nodeTest('first', { file, URLCONFORM_UPDATE: '1', pattern: '/ex-02$' });
    const { stdout, status } = nodeTest('right', { file, pattern: '/ex-02$' });
    assert.equal(status, 1);
    assert.match(stdout, /passes now: remove its entry/);
  });
});
