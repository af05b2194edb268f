import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { Rejected, SAME_DOCUMENT, Unsupported } from '../index.js';
import { ask } from '../lib/operations.js';

const everything = {
  name: 'everything',
  validate: () => true,
  parse: () => ({ path: 'p', query: null }),
  resolve: () => 'resolved',
  recompose: () => Uint8Array.of(0xff),
  normalize: async () => 'normal',
  equivalent: () => true,
  extract: () => ['a:b', ['a:c', 'a:d']],
  decode: () => ({ cwd: ['d'] }),
  base: () => null,
  toURI: () => 'a\ud800',
  toIRI: () => new TextEncoder().encode('é'),
};

/** Returns the answer of an implementation, without its message. */
async function answerOf(implementation, op, question = {}) {
  const { message, ...answer } = await ask(implementation, { op, question });
  return answer;
}

describe('answers', () => {
  for (const [op, fields] of [
    ['validate', {}],
    ['parse', { components: { path: 'p', query: null } }],
    ['resolve', { url: 'resolved' }],
    ['recompose', { url: { hex: 'ff' } }],
    ['normalize', { url: 'normal' }],
    ['equivalent', { equal: true }],
    ['extract', { urls: [['a:b'], ['a:c', 'a:d']] }],
    ['decode', { decoded: { cwd: ['d'] } }],
    ['base', { base: null }],
    ['to_uri', { url: { hex: '61eda080' } }],
    ['to_iri', { url: 'é' }],
  ]) {
    test(op, async () => {
      assert.deepEqual(await answerOf(everything, op), { status: 'ok', ...fields });
    });
  }
});

const throwing = (error, isRejection) => ({
  isRejection,
  resolve() {
    throw error;
  },
});

describe('exceptions', () => {
  for (const [name, implementation, status] of [
    ['of any kind are errors', throwing(new TypeError('bad')), 'error'],
    ['that are no Error are errors', throwing('bad'), 'error'],
    ['of isRejection reject', throwing(new TypeError('bad'), (e) => e.message === 'bad'), 'reject'],
    [
      'of isRejection alone reject',
      throwing(new TypeError('worse'), (e) => e.message === 'bad'),
      'error',
    ],
    ['Rejected', throwing(new Rejected('bad')), 'reject'],
    ['Unsupported', throwing(new Unsupported('no such mode')), 'unsupported'],
    ['Unsupported before isRejection', throwing(new Unsupported('no'), () => true), 'unsupported'],
  ]) {
    test(name, async () => {
      assert.deepEqual(await answerOf(implementation, 'resolve'), { status });
    });
  }
});

test('false of validate rejects', async () => {
  assert.deepEqual(await answerOf({ validate: () => false }, 'validate'), { status: 'reject' });
});

test('a reference to the same document', async () => {
  const answer = await answerOf({ resolve: () => SAME_DOCUMENT }, 'resolve');
  assert.deepEqual(answer, { status: 'ok', same_document: true });
});

describe('what no answer can be is an error', () => {
  for (const [name, implementation, op] of [
    ['validate without an answer', { validate: () => undefined }, 'validate'],
    ['a URL that is an object', { resolve: () => new URL('a:b') }, 'resolve'],
    ['components that are null', { parse: () => null }, 'parse'],
    ['a component that is undefined', { parse: () => ({ path: undefined }) }, 'parse'],
    ['a port that is a number', { parse: () => ({ port: 80 }) }, 'parse'],
    ['a base that is undefined', { base: () => undefined }, 'base'],
  ]) {
    test(name, async () => {
      assert.deepEqual(await answerOf(implementation, op), { status: 'error' });
    });
  }
});

test('an operation that is not offered is unsupported', async () => {
  assert.deepEqual(await answerOf({ validate: () => true }, 'resolve'), { status: 'unsupported' });
});

test('an operation that is not known is unsupported', async () => {
  assert.deepEqual(await answerOf(everything, 'guess'), { status: 'unsupported' });
});

describe('bytes in a question', () => {
  const echo = { normalize: ({ url }) => url };
  const question = { url: { hex: '61FF' } };

  test('are unsupported', async () => {
    assert.deepEqual(await answerOf(echo, 'normalize', question), { status: 'unsupported' });
  });

  test('are given to a library that takes them', async () => {
    const answer = await answerOf({ ...echo, takesBytes: true }, 'normalize', question);
    assert.deepEqual(answer, { status: 'ok', url: { hex: '61ff' } });
  });
});
