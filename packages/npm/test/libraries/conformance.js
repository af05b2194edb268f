// Is run by run.test.js, because a test cannot look at tests that fail.

import { Unsupported } from '../../index.js';
import { conformance } from '../../node-test.js';

const LIBRARIES = {
  first: ({ reference }) => reference,
  hesitant() {
    throw new Unsupported('not today');
  },
  right: ({ base, reference }) => new URL(reference, base).href,
};

const name = process.env.TEST_LIBRARY;
const knownFailures = process.env.TEST_KNOWN_FAILURES || null;
if (name !== undefined) {
  conformance(
    { name, resolve: LIBRARIES[name] },
    { specs: ['rfc3986'], short: true, knownFailures },
  );
}
