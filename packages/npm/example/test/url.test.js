// Tests URL of Node by RFC 3986.

import { conformance } from '@owner/urlconform/node-test';
import { Unsupported } from '@owner/urlconform';

/** A base for relative references, because URL has no relative form. */
const BASE = 'http://a/b/c/d;p?q';

const nodeURL = {
  // the name that the command urlconform has for it
  name: 'node-url',

  isRejection: (error) => error.code === 'ERR_INVALID_URL',

  /** URL parses whole references only. */
  validate({ rule, url }) {
    expectWholeText(rule);
    return URL.canParse(url) || (!hasScheme(url) && URL.canParse(url, BASE));
  },

  parse({ rule, url }) {
    expectWholeText(rule);
    if (!URL.canParse(url) && !hasScheme(url) && URL.canParse(url, BASE)) {
      throw new Unsupported('URL has no components for a relative reference');
    }
    const { protocol, username, password, hostname, port, pathname, search, hash } = new URL(url);
    return {
      scheme: protocol.slice(0, -1),
      userinfo: password === '' ? username : `${username}:${password}`,
      host: hostname,
      port,
      path: pathname,
      query: search.slice(1),
      fragment: hash.slice(1),
    };
  },

  resolve: ({ base, reference }) => new URL(reference, base).href,
};

function expectWholeText(rule) {
  if (rule !== 'URI-reference') {
    throw new Unsupported(`URL has no parser for the rule ${rule}`);
  }
}

function hasScheme(url) {
  return /^[A-Za-z][A-Za-z0-9+.-]*:/.test(url);
}

conformance(nodeURL, { specs: ['rfc3986'], knownFailures: 'test/urlconform.json' });
