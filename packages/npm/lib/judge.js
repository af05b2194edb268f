// The numbers in comments are those of the rules in RUNNER.md of the bundle.

import { bytesOf, equalValues, isObject } from './values.js';

/** A comparison of an answer with an admitted one. A smaller one is better. */
const RIGHT = 0;
const PARTIAL = 1;
const UNSUPPORTED = 2;
const WRONG = 3;

/** The result of comparing one component, or one part of a decoded view. */
const PART = {
  right: 'right',
  wrong: 'wrong',
  hidden: 'hidden', // the library does not expose it
  blurred: 'blurred', // the library cannot tell whether it is there
};

const rightIf = (isRight) => (isRight ? RIGHT : WRONG);

/** Judges the answers of one library. */
export class Judge {
  /** @param {boolean} tellsEmpty the library tells an empty part from an absent one */
  constructor(tellsEmpty) {
    this.tellsEmpty = tellsEmpty;
  }

  /**
   * Returns the outcome of a case, and the name of its variant, which is empty
   * unless the outcome is `variant`.
   */
  judge(testCase, answer) {
    if (answer.status !== 'ok' && answer.status !== 'reject') {
      return { outcome: answer.status, variant: '' }; // rule 1
    }
    let best = this.#best(testCase, answer);
    if (best.comparison === WRONG) {
      best = this.#best(testCase, withFirstReadings(testCase, answer)); // rule 8
    }
    switch (best.comparison) {
      case RIGHT:
        return { outcome: best.variant === '' ? 'pass' : 'variant', variant: best.variant }; // rule 19
      case PARTIAL:
        return { outcome: 'partial', variant: '' };
      case UNSUPPORTED:
        return { outcome: 'unsupported', variant: '' };
      default: {
        const variant = testCase.unlisted === 'variant' ? 'other' : ''; // rule 20
        return { outcome: testCase.unlisted, variant };
      }
    }
  }

  /**
   * Returns the best comparison with the admitted answers, and the variant of
   * that answer. Of equal ones, an answer without a variant is the best, and then
   * the first.
   */
  #best(testCase, answer) {
    let best = { comparison: WRONG, variant: '' };
    for (const admitted of testCase.answers) {
      const comparison = this.#compare(testCase, admitted, answer);
      const isBetterOfEquals = best.variant !== '' && admitted.variant === '';
      if (comparison < best.comparison || (comparison === best.comparison && isBetterOfEquals)) {
        best = { comparison, variant: admitted.variant };
      }
    }
    return best;
  }

  #compare(testCase, admitted, answer) {
    if (admitted.kind === 'reject') {
      return rightIf(answer.status === 'reject'); // rule 2
    }
    if (answer.status === 'reject') {
      return WRONG; // rule 3
    }
    if (admitted.kind === 'accept') {
      return RIGHT; // rule 3
    }
    if (!Object.hasOwn(answer, admitted.kind)) {
      return WRONG; // rule 4
    }
    const content = answer[admitted.kind];
    switch (admitted.kind) {
      case 'same_document':
        return rightIf(content === true); // rule 4
      case 'url':
        return rightIf(equalURLs(admitted.url, content, testCase.ignore_case));
      case 'equal':
        return rightIf(content === admitted.equal); // rule 6
      case 'urls':
        return rightIf(equalLists(admitted.urls, content));
      case 'components':
      case 'decoded':
        return this.#compareParts(admitted, content);
      case 'base':
        return this.#compareBase(admitted, content, testCase.ignore_case);
      default:
        throw new Error(`${testCase.id}: the kind ${admitted.kind} is unknown`);
    }
  }

  /** Compares each part of the admitted answer (rules 9 and 10). */
  #compareParts(admitted, content) {
    if (!isObject(content)) {
      return WRONG;
    }
    if (!Object.keys(admitted[admitted.kind]).some((name) => Object.hasOwn(content, name))) {
      return UNSUPPORTED; // rule 9
    }
    return sum(Object.values(this.#parts(admitted, content)));
  }

  /** Returns the names of the parts that differ from an admitted answer. */
  wrongParts(admitted, answer) {
    const content = answer[admitted.kind];
    if (!['components', 'decoded'].includes(admitted.kind) || !isObject(content)) {
      return [];
    }
    const parts = this.#parts(admitted, content);
    return Object.keys(parts)
      .filter((name) => parts[name] === PART.wrong)
      .sort();
  }

  /** Returns the result for each part of the admitted answer. */
  #parts(admitted, content) {
    const parts = {};
    for (const [name, expected] of Object.entries(admitted[admitted.kind])) {
      if (Object.hasOwn(content, name)) {
        parts[name] = this.#part(admitted, name, expected, content[name]);
      } else if (name === 'authority' && admitted.kind === 'components') {
        parts[name] = this.#derivedAuthority(expected, content); // rule 17
      } else {
        parts[name] = PART.hidden; // rule 11
      }
    }
    return parts;
  }

  #part(admitted, name, expected, got) {
    const isEqual =
      admitted.kind === 'decoded'
        ? this.#equalDecoded(name, expected, got)
        : this.#equalComponents(name, expected, got, admitted.or_empty ?? []);
    return isEqual ? this.#equalPart(name, admitted) : PART.wrong;
  }

  /** Returns the result for a part that is not wrong (rule 15). */
  #equalPart(name, admitted) {
    const isBlurred = !this.tellsEmpty && (admitted.empty ?? []).includes(name);
    return isBlurred ? PART.blurred : PART.right;
  }

  #equalComponents(name, expected, got, orEmpty) {
    if (equalValues(expected, got)) {
      return true; // rule 13
    }
    if (expected === null && got === '' && orEmpty.includes(name)) {
      return true; // rule 14
    }
    return this.#bothNothing(expected, got) || equalInLowerCase(name, expected, got);
  }

  #equalDecoded(name, expected, got) {
    if (equalBytes(expected, got)) {
      return true; // rule 13
    }
    if ((name === 'scheme' || name === 'host') && equalInASCIICase(expected, got)) {
      return true; // rule 12
    }
    return name !== 'request' && this.#bothNothing(expected, got); // rule 15
  }

  /**
   * Returns whether both parts are absent or empty, and the library does not tell
   * that apart (rule 15).
   */
  #bothNothing(expected, got) {
    return !this.tellsEmpty && isNothing(expected) && isNothing(got);
  }

  /**
   * Judges the authority that userinfo, host and port make (RFC 3986, section
   * 3.2). The steps are those of RUNNER.md.
   */
  #derivedAuthority(expected, got) {
    for (const name of ['userinfo', 'host', 'port']) {
      if (got[name] !== null && typeof got[name] !== 'string') {
        return PART.hidden; // step 1
      }
    }
    const { userinfo, host, port } = got;
    if (this.#isLeftOut(host)) {
      return this.#authorityWithoutHost(expected); // step 2
    }
    if (expected === null) {
      return PART.wrong; // step 5
    }
    const before = this.#isLeftOut(userinfo) ? '' : `${userinfo}@`;
    const after = this.#isLeftOut(port) ? '' : `:${port}`;
    if (isAuthority(expected, before, host, after)) {
      return PART.right; // step 3
    }
    if (this.tellsEmpty) {
      return PART.wrong; // step 5
    }
    // What the library shows as absent may be an empty userinfo or port.
    const emptyBefore = before || '@';
    const emptyAfter = after || ':';
    const isBlurred =
      isAuthority(expected, emptyBefore, host, after) ||
      isAuthority(expected, before, host, emptyAfter) ||
      isAuthority(expected, emptyBefore, host, emptyAfter);
    return isBlurred ? PART.blurred : PART.wrong; // steps 4 and 5
  }

  #isLeftOut(component) {
    return component === null || (component === '' && !this.tellsEmpty);
  }

  #authorityWithoutHost(expected) {
    if (expected === null) {
      return PART.right;
    }
    return expected === '' && !this.tellsEmpty ? PART.blurred : PART.hidden;
  }

  /** Compares bases (rule 18). */
  #compareBase(admitted, content, ignoreCase) {
    if (!isNothing(admitted.base)) {
      return rightIf(equalURLs(admitted.base, content, ignoreCase));
    }
    if (content !== admitted.base && !this.#bothNothing(admitted.base, content)) {
      return WRONG;
    }
    return sum([this.#equalPart('base', admitted)]);
  }
}

/** Returns the comparison that the results of all parts make (rule 16). */
function sum(parts) {
  if (parts.includes(PART.wrong)) {
    return WRONG;
  }
  return parts.every((part) => part === PART.right) ? RIGHT : PARTIAL;
}

function isNothing(part) {
  return part === null || part === '';
}

/**
 * Returns whether two URLs are equal, apart from the case of scheme and host if
 * that is to be ignored (rule 5).
 */
function equalURLs(expected, got, ignoreCase) {
  if (typeof got !== 'string') {
    return false;
  }
  return got === expected || (ignoreCase && folded(got) === folded(expected));
}

/** Returns a reference with its scheme and host in lower case. */
function folded(url) {
  const hierarchical = /^([^/?#]*)\/\/([^/?#]*)(.*)$/s.exec(url);
  if (hierarchical !== null) {
    const [, before, authority, rest] = hierarchical;
    return `${before.toLowerCase()}//${withLowerHost(authority)}${rest}`;
  }
  return url.replace(/^[^:/?#]*:/, (scheme) => scheme.toLowerCase());
}

/** Returns an authority with all after its last @ in lower case. */
function withLowerHost(authority) {
  const host = authority.lastIndexOf('@') + 1;
  return authority.slice(0, host) + authority.slice(host).toLowerCase();
}

/** Applies rule 12 to parts of a decoded view. */
function equalInASCIICase(expected, got) {
  const expectedBytes = bytesOf(expected);
  const gotBytes = bytesOf(got);
  if (expectedBytes === null || gotBytes === null) {
    return false;
  }
  return lowerASCII(expectedBytes) === lowerASCII(gotBytes);
}

/** Returns bytes as a string, a character for each, with A to Z in lower case. */
function lowerASCII(bytes) {
  return bytes.toString('latin1').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Applies rule 12 to components. */
function equalInLowerCase(name, expected, got) {
  if (typeof expected !== 'string' || typeof got !== 'string') {
    return false;
  }
  switch (name) {
    case 'scheme':
    case 'host':
      return expected.toLowerCase() === got.toLowerCase();
    case 'authority':
    case 'net_loc':
      return withLowerHost(expected) === withLowerHost(got);
    default:
      return false;
  }
}

/**
 * Returns whether there are as many URLs as expected, and only admissible
 * readings of each (rule 7).
 */
function equalLists(expected, urls) {
  if (!Array.isArray(urls) || urls.length !== expected.length) {
    return false;
  }
  return urls.every((readings, i) => areOnlyFrom(expected[i], readings));
}

/** Returns whether there are readings, and all of them are admissible. */
function areOnlyFrom(admissible, readings) {
  if (!Array.isArray(readings) || readings.length === 0) {
    return false;
  }
  return readings.every((reading) => admissible.includes(reading));
}

/**
 * Returns an answer with only the first reading of each URL, if an admitted
 * answer with as many URLs has each reading (rule 8). Otherwise it returns the
 * answer unchanged.
 */
function withFirstReadings(testCase, answer) {
  const { urls } = answer;
  if (!Array.isArray(urls)) {
    return answer;
  }
  const lists = testCase.answers
    .filter((admitted) => admitted.kind === 'urls' && admitted.urls.length === urls.length)
    .map((admitted) => admitted.urls);
  for (const [i, readings] of urls.entries()) {
    const admissible = lists.flatMap((list) => list[i]);
    if (!areOnlyFrom(admissible, readings)) {
      return answer;
    }
  }
  return { ...answer, urls: urls.map((readings) => readings.slice(0, 1)) };
}

/** Returns whether two decoded parts are equal as bytes (rule 13). */
function equalBytes(expected, got) {
  if (Array.isArray(expected) && Array.isArray(got)) {
    return (
      expected.length === got.length && expected.every((element, i) => equalBytes(element, got[i]))
    );
  }
  const expectedBytes = bytesOf(expected);
  const gotBytes = bytesOf(got);
  if (expectedBytes !== null && gotBytes !== null) {
    return expectedBytes.equals(gotBytes);
  }
  return equalValues(expected, got);
}

/** Returns whether three parts make an authority, apart from the case of the host. */
function isAuthority(authority, before, host, after) {
  if (Array.from(authority).length !== Array.from(before + host + after).length) {
    return false;
  }
  if (!authority.startsWith(before) || !authority.endsWith(after)) {
    return false;
  }
  const middle = authority.slice(before.length, authority.length - after.length);
  return middle.toLowerCase() === host.toLowerCase();
}
