import type { Implementation, Options } from './index.js';

/**
 * Asks an implementation all questions, as tests of node:test with names such as
 * rfc3986/5.2.4/excess-many.
 *
 * A test fails if its RFC requires another answer, or none came because the
 * library failed. A known failure is a `todo`. A case that the library can answer
 * only in part, or not at all, is skipped, and so is a failure that no RFC forbids.
 */
export function conformance(implementation: Implementation, options?: Options): void;
