import { nameOf, readCases, readManifest, specsOf } from './bundle.js';
import { Judge } from './judge.js';
import { isFailure, readKnownFailures } from './known.js';
import { METHODS, ask, offers } from './operations.js';
import { reportOf } from './report.js';

/** Asks one implementation. */
export class Runner {
  #judge;

  /** Throws an Error if the options or the file of known failures are wrong. */
  constructor(implementation, options = {}) {
    const manifest = readManifest();
    this.implementation = implementation;
    this.options = withDefaults(options, specsOf(manifest));
    checkImplementation(implementation);
    const { specs, knownFailures, short } = this.options;
    this.#judge = new Judge(implementation.tellsEmptyFromAbsent === true);
    const { digest } = manifest.corpus;
    this.known = readKnownFailures(knownFailures, implementation.name, digest, specs);
    this.cases = specs.flatMap((spec) => readCases(manifest, spec, short));
  }

  /** Returns whether a case is asked: its operation is offered, or it is a known failure. */
  isAsked(testCase) {
    return offers(this.implementation, testCase.op) || this.known.entries.has(testCase.id);
  }

  /** Asks a case and returns its result. With `update`, the list accepts it. */
  async result(testCase) {
    const answer = await ask(this.implementation, testCase);
    const { outcome, variant } = this.#judge.judge(testCase, answer);
    if (this.options.update) {
      this.known.accept(testCase, outcome, answer);
    }
    const finding = this.known.find(testCase, outcome, answer);
    return new Result({ testCase, answer, outcome, variant, finding }, this.#judge, this.known);
  }
}

/** The result of a case. */
class Result {
  #parts;
  #judge;
  #known;

  constructor(parts, judge, known) {
    this.id = parts.testCase.id;
    this.name = nameOf(parts.testCase);
    this.outcome = parts.outcome;
    this.variant = parts.variant;
    this.finding = parts.finding;
    this.known = known.entries.has(this.id);
    this.ok = parts.finding === '';
    this.#parts = parts;
    this.#judge = judge;
    this.#known = known;
  }

  /** Returns the case, the question, the answer and what the RFC admits, in lines. */
  get report() {
    return reportOf(this.#parts, this.#judge, this.#known);
  }

  /** Returns the outcome and the statement, in one line. */
  get summary() {
    return `${this.outcome}: ${this.#parts.testCase.statement}`;
  }

  get testCase() {
    return this.#parts.testCase;
  }
}

/**
 * Counts results by outcome. Accepted and rejected texts are counted apart,
 * because a library that accepts everything is right about every valid text.
 */
export class Counts {
  outcomes = {};
  valid = { asked: 0, right: 0 };
  invalid = { asked: 0, right: 0 };

  add({ testCase, outcome }) {
    this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1;
    if (testCase.op !== 'validate' || outcome === 'unsupported') {
      return;
    }
    const texts = testCase.answers[0].kind === 'reject' ? this.invalid : this.valid;
    texts.asked += 1;
    if (outcome === 'pass' || outcome === 'variant') {
      texts.right += 1;
    }
  }

  toString() {
    const words = Object.keys(this.outcomes)
      .sort()
      .map((outcome) => `${this.outcomes[outcome]} ${outcome}`);
    if (this.valid.asked > 0) {
      words.push(`accepted ${this.valid.right} of ${this.valid.asked} valid texts`);
    }
    if (this.invalid.asked > 0) {
      words.push(`rejected ${this.invalid.right} of ${this.invalid.asked} invalid texts`);
    }
    return words.join(', ');
  }
}

/**
 * Asks an implementation all questions, without a test runner. Returns the results
 * of the cases that were asked, their counts, and whether all are as expected.
 */
export async function run(implementation, options = {}) {
  const runner = new Runner(implementation, options);
  const { filter, update } = runner.options;
  const results = [];
  const counts = new Counts();
  for (const testCase of runner.cases) {
    const isSelected = filter === null || nameOf(testCase).search(filter) >= 0;
    if (!isSelected) {
      continue;
    }
    if (!runner.isAsked(testCase)) {
      counts.add({ testCase, outcome: 'unsupported' });
      continue;
    }
    const result = await runner.result(testCase);
    results.push(result);
    counts.add(result);
  }
  if (update) {
    runner.known.write();
  }
  return { results, counts, ok: results.every((result) => result.ok) };
}

/** Returns whether a result is a failure that no RFC forbids. */
export function isPermittedFailure(result) {
  return isFailure(result.outcome) && result.ok && !result.known;
}

function withDefaults(options, allSpecs) {
  const defaults = {
    specs: allSpecs,
    knownFailures: null,
    filter: null,
    short: process.env.URLCONFORM_SHORT === '1',
    update: process.env.URLCONFORM_UPDATE === '1',
  };
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(defaults, name)) {
      throw new Error(
        `urlconform: there is no option ${name} (known: ${Object.keys(defaults).join(', ')})`,
      );
    }
  }
  const all = { ...defaults, ...options };
  if (all.specs.length === 0) {
    throw new Error('urlconform: the option specs names no RFC');
  }
  for (const spec of all.specs) {
    if (!allSpecs.includes(spec)) {
      throw new Error(`urlconform: unknown RFC "${spec}" (known: ${allSpecs.join(', ')})`);
    }
  }
  if (all.update && all.knownFailures === null) {
    throw new Error('urlconform: the option knownFailures has to name the file to update');
  }
  return all;
}

function checkImplementation(implementation) {
  if (typeof implementation.name !== 'string') {
    throw new Error('urlconform: the implementation has no name');
  }
  if (!METHODS.some((method) => typeof implementation[method] === 'function')) {
    const { name } = implementation;
    throw new Error(`urlconform: ${name} has no operation: none of ${METHODS.join(', ')}`);
  }
}
