import { abbreviated, toJSON } from './values.js';

/** The fields of a case and of an answer that are not its content. */
const NO_CONTENT = ['status', 'message'];

/**
 * Explains the result of a case to people. Returns the case, its place in the RFC,
 * the question, what was answered, and what the RFC admits.
 */
export function reportOf({ testCase, answer, outcome, finding }, judge, known) {
  const lines = [
    `${testCase.id}: ${outcome}`,
    `${placeOf(testCase)}: ${testCase.statement}`,
    `  asked     ${describeQuestion(testCase)}`,
    `  answered  ${describeAnswer(answer)}`,
  ];
  let label = 'admitted';
  for (const admitted of testCase.answers) {
    lines.push(`  ${label}  ${describeAdmitted(admitted)}`);
    label = '        ';
  }
  if (testCase.unlisted === 'variant') {
    lines.push(`  ${label}  any other answer (other)`);
  }
  const wrongParts = judge.wrongParts(testCase.answers[0], answer);
  if (wrongParts.length > 0) {
    lines.push(`  differs   ${wrongParts.join(', ')}`);
  }
  if (answer.status === 'error') {
    lines.push('  an exception is a rejection only if isRejection says so');
  }
  const words = describeFinding(testCase, finding, known);
  if (words !== '') {
    lines.push(`  ${words}`);
  }
  return lines.join('\n');
}

/** Says what the list of known failures has to do with a result. */
export function describeFinding(testCase, finding, known) {
  const { file } = known;
  if (file === null) {
    return '';
  }
  const entry = known.entries.get(testCase.id);
  if (entry === undefined) {
    return finding === 'new' ? `it is not in ${file}` : '';
  }
  const remarks = [entry.issue, entry.note].filter(Boolean).map((remark) => `; ${remark}`);
  return `it is in ${file}${REASONS[finding] ?? ''}${remarks.join('')}`;
}

const REASONS = {
  stale: ', but passes now: remove its entry',
  moved: ', but the question or the admitted answers have changed since',
  lost: ' as a wrong answer, and now there is none, or only a part of one',
  changed: ', but the library fails in another way now',
};

/** Returns the RFC, section and paragraph of the statement. */
export function placeOf({ spec, section, paragraphs = [] }) {
  const place = `RFC ${spec.replace(/^rfc/, '')}, section ${section}`;
  if (paragraphs.length === 0) {
    return place;
  }
  const label = paragraphs.length > 1 ? 'paragraphs' : 'paragraph';
  return `${place}, ${label} ${paragraphs.join(' and ')}`;
}

function describeQuestion({ op, question, rule, profile, mode }) {
  const words = [op];
  for (const name of Object.keys(question).sort()) {
    words.push(name, describe(question[name]));
  }
  if (rule) {
    words.push('by rule', rule);
  }
  if (profile && profile !== 'generic') {
    words.push('by profile', profile);
  }
  if (mode) {
    words.push('in mode', mode);
  }
  return words.join(' ');
}

function describeAnswer(answer) {
  const fields = Object.keys(answer).filter((name) => !NO_CONTENT.includes(name));
  const words =
    fields.length > 0
      ? fields.map((name) => `${name} ${describe(answer[name])}`).join(' ')
      : ({ ok: 'accepted', reject: 'rejected' }[answer.status] ?? answer.status);
  return answer.message ? `${words}: ${answer.message}` : words;
}

function describeAdmitted(admitted) {
  const { kind, variant } = admitted;
  const words =
    { accept: 'accepted', reject: 'rejected', same_document: 'same_document true' }[kind] ??
    `${kind} ${describe(admitted[kind])}`;
  return variant === '' ? words : `${words} (${variant})`;
}

/** Returns a value as JSON. Long texts are abbreviated. */
function describe(value) {
  return toJSON(abbreviated(value));
}
