import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { Judge } from '../lib/judge.js';

const JUDGE = new URL('../lib/judge.js', import.meta.url);
const VALUES = new URL('../lib/values.js', import.meta.url);
const SHARED_RULES = new URL('../../../tests/e2e/packages/rules.json', import.meta.url);

/**
 * For each rule of RUNNER.md, an answer on which a judge without the rule
 * stumbles. The file is not only for this package.
 */
const RULES = JSON.parse(readFileSync(process.env.URLCONFORM_RULES ?? SHARED_RULES, 'utf8'));

/** For each rule, a change of judge.js that takes it away: what is right, and what is wrong. */
const FAULTS = {
  '1-no-answer': ["if (answer.status !== 'ok' && answer.status !== 'reject') {", 'if (false) {'],
  '2-reject': ["return rightIf(answer.status === 'reject'); // rule 2", 'return RIGHT;'],
  '3-accept': ['return WRONG; // rule 3', 'return RIGHT;'],
  '4-missing-field': ['return WRONG; // rule 4', 'return UNSUPPORTED;'],
  '5-url': ['folded(got) === folded(expected)', 'got.toLowerCase() === expected.toLowerCase()'],
  '6-equal': ['return rightIf(content === admitted.equal); // rule 6', 'return RIGHT;'],
  '7-urls': [
    'urls.every((readings, i) => areOnlyFrom(expected[i], readings))',
    'urls.every((readings, i) => expected[i].includes(readings[0]))',
  ],
  '8-several-readings': ['withFirstReadings(testCase, answer)); // rule 8', 'answer);'],
  '9-components': ['return UNSUPPORTED; // rule 9', 'return PARTIAL;'],
  '10-decoded': ['? this.#equalDecoded(name, expected, got)', '? true'],
  '11-not-exposed': ['PART.hidden; // rule 11', 'PART.right;'],
  '12-case': [
    'return withLowerHost(expected) === withLowerHost(got);',
    'return expected.toLowerCase() === got.toLowerCase();',
  ],
  '13-lists-and-bytes': ['if (equalBytes(expected, got)) {', 'if (equalValues(expected, got)) {'],
  '14-absent-and-empty-in-the-RFC': ['return true; // rule 14', 'return false;'],
  '15-absent-and-empty-in-the-library': [
    'return isBlurred ? PART.blurred : PART.right;',
    'return PART.right;',
  ],
  '16-sum': ['if (parts.includes(PART.wrong)) {', 'if (parts[0] === PART.wrong && false) {'],
  '17-derived-authority': ['this.#derivedAuthority(expected, content); // rule 17', 'PART.hidden;'],
  '18-base': ['if (content !== admitted.base &&', 'if (!isNothing(content) &&'],
  '19-outcome': ["outcome: best.variant === '' ? 'pass' : 'variant'", "outcome: 'pass'"],
  '20-unlisted': ["testCase.unlisted === 'variant' ? 'other' : ''; // rule 20", "'';"],
};

/** Returns the outcome of a row of the rules. */
function judged(judgeClass, row) {
  const { answers, unlisted, ignore_case, answer } = row;
  return new judgeClass(row.tells_empty_from_absent).judge(
    { answers, unlisted, ignore_case },
    answer,
  );
}

describe('rules', () => {
  for (const row of RULES) {
    test(row.rule, () => {
      assert.deepEqual(judged(Judge, row), { outcome: row.outcome, variant: row.variant });
    });
  }
});

describe('a judge without a rule stumbles', () => {
  const folder = mkdtempSync(join(tmpdir(), 'urlconform-'));
  after(() => rmSync(folder, { recursive: true }));
  const source = readFileSync(JUDGE, 'utf8').replace("'./values.js'", `'${VALUES}'`);

  for (const row of RULES) {
    test(row.rule, async () => {
      const [right, wrong] = FAULTS[row.rule];
      assert.ok(source.includes(right), `judge.js does not have ${right}`);
      const file = join(folder, `${row.rule}.mjs`);
      writeFileSync(file, source.replace(right, wrong));
      const faulty = await import(pathToFileURL(file));
      assert.notDeepEqual(judged(faulty.Judge, row), {
        outcome: row.outcome,
        variant: row.variant,
      });
    });
  }
});

describe('lower case', () => {
  const judge = new Judge(true);

  function outcomeOfHost(expected, got) {
    const components = { host: expected };
    const answers = [{ kind: 'components', components, variant: '' }];
    return judge.judge({ answers, unlisted: 'fail' }, { status: 'ok', components: { host: got } })
      .outcome;
  }

  for (const [name, expected, got, outcome] of [
    ['beyond ASCII', 'É', 'é', 'pass'],
    ['that is longer', 'İ', 'i\u0307', 'pass'],
    ['of another letter', 'É', 'è', 'fail'],
  ]) {
    test(name, () => assert.equal(outcomeOfHost(expected, got), outcome));
  }

  for (const [name, expected, host, outcome] of [
    ['in the place of the host', 'u@É', 'é', 'pass'],
    ['of an authority that is longer', 'u@İ', 'i\u0307', 'fail'],
    ['with a character outside of the basic plane', 'u@😀H', '😀h', 'pass'],
  ]) {
    test(name, () => {
      const components = { userinfo: 'u', host, port: null };
      const answers = [
        { kind: 'components', components: { authority: expected, host }, variant: '' },
      ];
      const answer = { status: 'ok', components };
      assert.equal(judge.judge({ answers, unlisted: 'fail' }, answer).outcome, outcome);
    });
  }
});
