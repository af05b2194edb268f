import { bytesOf, isHex, isObject, jsonValue } from './values.js';

/** What a method throws to reject a text as invalid. */
export class Rejected extends Error {
  name = 'Rejected';
}

/** What a method throws if the library cannot be asked. */
export class Unsupported extends Error {
  name = 'Unsupported';
}

/** What `resolve` returns for a reference to the document that contains it. */
export const SAME_DOCUMENT = Symbol('same document');

/**
 * The operations: which method of an implementation is asked, which field of an
 * answer has what the method returns, and what that has to be.
 */
const OPERATIONS = new Map([
  ['validate', { method: 'validate', field: null, check: boolean }],
  ['parse', { method: 'parse', field: 'components', check: object }],
  ['resolve', { method: 'resolve', field: 'url', check: text }],
  ['recompose', { method: 'recompose', field: 'url', check: text }],
  ['normalize', { method: 'normalize', field: 'url', check: text }],
  ['equivalent', { method: 'equivalent', field: 'equal', check: boolean }],
  ['extract', { method: 'extract', field: 'urls', check: list }],
  ['decode', { method: 'decode', field: 'decoded', check: object }],
  ['base', { method: 'base', field: 'base', check: textOrNull }],
  ['to_uri', { method: 'toURI', field: 'url', check: text }],
  ['to_iri', { method: 'toIRI', field: 'url', check: text }],
]);

/** The names of the methods that an implementation can have. */
export const METHODS = [...OPERATIONS.values()].map((operation) => operation.method);

export function offers(implementation, op) {
  const operation = OPERATIONS.get(op);
  return operation !== undefined && typeof implementation[operation.method] === 'function';
}

/**
 * Asks an implementation the question of a case. Returns its answer: the status,
 * the field of the operation, and a message for people.
 */
export async function ask(implementation, testCase) {
  if (!offers(implementation, testCase.op)) {
    return { status: 'unsupported', message: `the library does not offer ${testCase.op}` };
  }
  try {
    const question = questionOf(testCase, implementation.takesBytes === true);
    return await answerTo(implementation, testCase.op, question);
  } catch (error) {
    return answerOfError(implementation, error);
  }
}

async function answerTo(implementation, op, question) {
  const { method, field, check } = OPERATIONS.get(op);
  const returned = await implementation[method](question);
  if (op === 'resolve' && returned === SAME_DOCUMENT) {
    return { status: 'ok', same_document: true };
  }
  check(method, returned);
  if (field === null) {
    return { status: returned ? 'ok' : 'reject' };
  }
  const content = op === 'extract' ? returned.map(readingsOf) : returned;
  return { status: 'ok', [field]: jsonValue(content) };
}

/** Returns the ways in which a library reads a URL: mostly it gives only one. */
function readingsOf(url) {
  return Array.isArray(url) ? url : [url];
}

function answerOfError(implementation, error) {
  const message = String(error?.message ?? error);
  if (error instanceof Unsupported) {
    return { status: 'unsupported', message };
  }
  if (error instanceof Rejected || implementation.isRejection?.(error) === true) {
    return { status: 'reject', message };
  }
  return { status: 'error', message: String(error?.stack ?? error) };
}

/** Returns what an implementation is asked. */
function questionOf(testCase, takesBytes) {
  const { op, spec, rule, profile, mode } = testCase;
  const question = { op, spec, rule, profile, mode };
  for (const [name, input] of Object.entries(testCase.question)) {
    question[name] = inputOf(input, takesBytes);
  }
  return question;
}

function inputOf(input, takesBytes) {
  if (isHex(input)) {
    if (!takesBytes) {
      throw new Unsupported('the question has bytes that are no text');
    }
    return new Uint8Array(bytesOf(input));
  }
  if (!isObject(input)) {
    return structuredClone(input); // a library may change what it gets
  }
  const parts = Object.entries(input).map(([name, part]) => [name, inputOf(part, takesBytes)]);
  return Object.fromEntries(parts);
}

// The checks below find mistakes of an adapter, which would be wrong answers of
// the library otherwise.

function boolean(method, returned) {
  expectType(method, returned, 'true or false', typeof returned === 'boolean');
}

function text(method, returned) {
  const isText = typeof returned === 'string' || returned instanceof Uint8Array;
  expectType(method, returned, 'a text', isText);
}

function textOrNull(method, returned) {
  if (returned !== null) {
    text(method, returned);
  }
}

function object(method, returned) {
  const isRecord = isObject(returned) && !(returned instanceof Uint8Array);
  expectType(method, returned, 'an object', isRecord);
}

function list(method, returned) {
  expectType(method, returned, 'a list', Array.isArray(returned));
}

function expectType(method, returned, expected, isExpected) {
  if (!isExpected) {
    const type = returned === null ? 'null' : typeof returned;
    throw new TypeError(`${method} has to return ${expected}, but returned ${type}`);
  }
}
