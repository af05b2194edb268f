// Texts, and values of JSON. A text that is no well-formed Unicode is an object
// with hex digits, {hex: '…'}; all other texts are strings.

import { createHash } from 'node:crypto';

const LONGEST_TEXT = 1024; // in characters, or hex digits; a longer text is abbreviated
const KEPT_BEGINNING = 80;

export function isHex(value) {
  return isObject(value) && typeof value.hex === 'string' && Object.keys(value).length === 1;
}

export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns bytes as a text. */
export function textOfBytes(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { hex: Buffer.from(bytes).toString('hex') };
  }
}

/** Returns the bytes of a string or of hex, or null for any other value. */
export function bytesOf(value) {
  if (typeof value === 'string') {
    return value.isWellFormed() ? Buffer.from(value, 'utf8') : bytesWithSurrogates(value);
  }
  return isHex(value) ? Buffer.from(value.hex, 'hex') : null;
}

/** Returns the bytes of a string, with three bytes for a surrogate that is alone. */
function bytesWithSurrogates(string) {
  const parts = [];
  for (const character of string) {
    const code = character.codePointAt(0);
    if (0xd800 <= code && code <= 0xdfff) {
      parts.push(
        Buffer.from([0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]),
      );
    } else {
      parts.push(Buffer.from(character, 'utf8'));
    }
  }
  return Buffer.concat(parts);
}

/**
 * Returns what a library answered as a value of JSON. A string with a surrogate
 * that is alone is no text, so that it becomes hex, and so do bytes that are not
 * UTF-8. Throws a TypeError if an answer cannot have such a value.
 */
export function jsonValue(value) {
  if (value === null || typeof value === 'boolean') {
    return value;
  }
  if (typeof value === 'string') {
    return value.isWellFormed() ? value : { hex: bytesOf(value).toString('hex') };
  }
  if (value instanceof Uint8Array) {
    return textOfBytes(value);
  }
  if (Array.isArray(value)) {
    return value.map(jsonValue);
  }
  if (isObject(value)) {
    return mapped(value, jsonValue);
  }
  throw new TypeError(`an answer cannot have ${value === undefined ? value : `a ${typeof value}`}`);
}

/** Returns an object with each member converted. */
function mapped(object, convert) {
  return Object.fromEntries(
    Object.entries(object).map(([name, member]) => [name, convert(member)]),
  );
}

/** Returns a value that was read from JSON with its hex digits in lower case. */
export function withLowerHex(value) {
  if (isHex(value)) {
    return { hex: value.hex.toLowerCase() };
  }
  if (Array.isArray(value)) {
    return value.map(withLowerHex);
  }
  return isObject(value) ? mapped(value, withLowerHex) : value;
}

export function equalValues(one, another) {
  return toJSON(one) === toJSON(another);
}

/**
 * Returns a value as the command urlconform writes it: in ASCII, with sorted
 * names, and blanks after colons and commas.
 */
export function toJSON(value) {
  if (Array.isArray(value)) {
    return `[${value.map(toJSON).join(', ')}]`;
  }
  if (isObject(value)) {
    const members = Object.keys(value)
      .sort()
      .map((name) => `${toJSON(name)}: ${toJSON(value[name])}`);
    return `{${members.join(', ')}}`;
  }
  return JSON.stringify(value).replace(/[^ -~]/g, escaped);
}

function escaped(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Returns a value with its long texts abbreviated: their beginning, their length
 * and their SHA-256.
 */
export function abbreviated(value) {
  if (typeof value === 'string') {
    const characters = Array.from(value);
    if (characters.length <= LONGEST_TEXT) {
      return value;
    }
    const beginning = characters.slice(0, KEPT_BEGINNING).join('');
    return abbreviation(beginning, characters.length, 'characters', bytesOf(value));
  }
  if (isHex(value)) {
    if (value.hex.length <= LONGEST_TEXT) {
      return value;
    }
    const bytes = bytesOf(value);
    return abbreviation(`hex ${value.hex.slice(0, KEPT_BEGINNING)}`, bytes.length, 'bytes', bytes);
  }
  if (Array.isArray(value)) {
    return value.map(abbreviated);
  }
  return isObject(value) ? mapped(value, abbreviated) : value;
}

function abbreviation(beginning, length, unit, bytes) {
  const digest = createHash('sha256').update(bytes).digest('hex');
  return `${beginning}… (${length.toLocaleString('en-US')} ${unit}, SHA-256 ${digest})`;
}
