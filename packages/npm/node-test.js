import { after, describe, test } from 'node:test';

import { nameOf } from './lib/bundle.js';
import { Counts, Runner, isPermittedFailure } from './lib/runner.js';

/**
 * Asks an implementation all questions, as tests of node:test with names such as
 * rfc3986/5.2.4/excess-many.
 *
 * A test fails if its RFC requires another answer, or none came because the
 * library failed. A known failure is a `todo`. A case that the library can answer
 * only in part, or not at all, is skipped, and so is a failure that no RFC forbids.
 */
export function conformance(implementation, options = {}) {
  if (options.filter !== undefined) {
    throw new Error('urlconform: node --test selects by --test-name-pattern, not by filter');
  }
  const runner = new Runner(implementation, options);
  const counts = new Counts();
  describe(implementation.name, () => {
    for (const testCase of runner.cases) {
      if (runner.isAsked(testCase)) {
        test(nameOf(testCase), async (t) => tell(t, await counted(runner, testCase, counts)));
      } else {
        counts.add({ testCase, outcome: 'unsupported' });
      }
    }
    after(() => {
      if (runner.options.update) {
        runner.known.write();
      }
    });
    test(`counts of ${implementation.name}`, (t) => t.diagnostic(String(counts)));
  });
}

async function counted(runner, testCase, counts) {
  const result = await runner.result(testCase);
  counts.add(result);
  return result;
}

/** Says to node:test what a result is. */
function tell(t, result) {
  if (!result.ok) {
    throw new ConformanceError(result.report);
  }
  if (result.known) {
    t.todo('a known failure');
    throw new ConformanceError(result.report);
  }
  if (isPermittedFailure(result) || ['partial', 'unsupported'].includes(result.outcome)) {
    t.skip(result.summary);
  }
}

/** A failure, whose report says all: where it was thrown does not matter. */
class ConformanceError extends Error {
  name = 'ConformanceError';

  constructor(report) {
    super(report);
    this.stack = report;
  }
}
