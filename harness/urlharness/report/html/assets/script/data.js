  /*
   * The data blocks: gzip in base64, decoded here.  The list is decoded first, the details after it is shown.
   */
  const NONE = ".";
  const CORE = "core";

  async function readBlock(id) {
    const block = byId(id);
    const coded = atob(block.textContent.trim());
    block.remove(); // its text is no longer needed
    const octets = new Uint8Array(coded.length);
    for (let i = 0; i < coded.length; i++) octets[i] = coded.charCodeAt(i);
    const stream = new Blob([octets]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }

  // The list with the values that filters need; the outcome is "none" if the case was not asked.
  function openList(raw) {
    const cases = raw.cases.map(([section, id, op, level, binding, cls, flags, tier, inputs, witness, pattern], number) => ({
      number, id, op, level, binding, cls, tier, inputs, pattern,
      flags: raw.flagsets[flags],
      spec: raw.sections[section][0],
      section: raw.sections[section][1],
      witness: witness === 1,
      words: "",
    }));
    const letters = new Map(raw.outcomes.map((outcome, at) => [String.fromCharCode(97 + at), outcome]));
    letters.set(NONE, "none");
    const patterns = raw.patterns.map((pattern) => [...pattern].map((letter) => letters.get(letter)));
    return {
      ...raw, cases, patterns,
      failing: new Set(raw.failing),
      findings: new Map(Object.entries(raw.findings).map(([kind, ids]) => [kind, new Set(ids)])),
      numbers: new Map(cases.map((each) => [each.id, each.number])),
      specsHere: [...new Set(raw.sections.map(([spec]) => spec))],
      tiers: [...new Set(cases.map(({ tier }) => tier))],
      outcomesOf: (number) => patterns[cases[number].pattern],
      order: raw.order,
      details: null,
    };
  }

  // The details of a case.
  function detailsOf(data, each) {
    const { requirements, cases, partitions, answers } = data.details;
    const [requirement, expect, ruling, comment, title, partition, ...classes] = cases[each.number];
    const { paragraphs } = data.details;
    const answerOf = (column) => {
      const letter = partitions[partition][column];
      return letter === NONE ? null : answers[classes[letter.charCodeAt(0) - 48]];
    };
    return { requirement: requirements[requirement], paragraphs: paragraphs[requirement], expect, ruling, comment, title, classes, signs: partitions[partition], answerOf };
  }

  // The groups of equal answers of a case, as `urlconform compare` makes them, each with the answer that shows the
  // most components.  Implementations that were not asked are the last group, without an answer.
  function equalAnswers(data, each) {
    const { answers, groups } = data.details;
    const { classes, signs } = detailsOf(data, each);
    const groupSigns = groups.signs[groups.cases[each.number][0]];
    const asked = [], silent = [];
    for (const column of data.implementations.keys()) {
      if (signs[column] === NONE) {
        silent.push(column);
        continue;
      }
      const at = numberOf(signs[column]), group = (asked[numberOf(groupSigns[at])] ||= { at, columns: [] });
      group.at = Math.min(group.at, at); // the classes are in the order of how much they show
      group.columns.push(column);
    }
    const found = asked.map(({ at, columns }) => ({ answer: answers[classes[at]], columns }));
    return silent.length ? [...found, { answer: null, columns: silent }] : found;
  }

  const numberOf = (sign) => sign.charCodeAt(0) - 48;

  // The different answers of a case with their columns, the worst first.
  function answerGroups(data, each) {
    const { answerOf } = detailsOf(data, each);
    const groups = new Map();
    for (const column of data.implementations.keys()) {
      const answer = answerOf(column);
      if (!groups.has(answer)) groups.set(answer, { answer, columns: [] });
      groups.get(answer).columns.push(column);
    }
    const rank = ({ answer }) => (answer === null ? 99 : RANK.indexOf(data.kinds[answer[0]]));
    const outcome = ({ answer }) => (answer === null ? 0 : data.outcomes.indexOf(answer[0]));
    return [...groups.values()].sort((one, other) => rank(one) - rank(other) || outcome(one) - outcome(other));
  }
  const RANK = ["failed", "abnormal", "partial", "passed", "unsupported"];

  // The text of a case without its answers, made when it is first searched.
  function wordsOf(data, each) {
    if (!each.words) {
      const { expect, ruling, comment, title } = detailsOf(data, each);
      const inputs = Object.values(each.inputs).map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
      const parts = [each.id, each.op, each.cls, each.binding, each.level, each.tier, ...each.flags, ruling, comment, title, ...inputs,
        JSON.stringify(expect)];
      each.words = parts.join("\n").toLowerCase();
    }
    return each.words;
  }

  // Every text in a value, at any depth; a reply may be of any shape.
  function textsIn(value) {
    const texts = [], left = [value];
    while (left.length) {
      const next = left.pop();
      if (typeof next === "string") texts.push(next);
      else if (next !== null && typeof next === "object") for (const inner of Object.values(next)) left.push(inner);
    }
    return texts;
  }

  // The texts of statements and answers, made once for all searches.
  function searchable(details) {
    const lower = (texts) => texts.filter((text) => typeof text === "string").join("\n").toLowerCase();
    details.statementWords ||= details.requirements.map(({ id, statement, ruling }) => lower([id, statement, ruling]));
    details.answerWords ||= details.answers.map(([, variant, detail, got, stderr]) => lower([variant, detail, stderr, ...textsIn(got)]));
    return details;
  }

  // A test whether a case, its requirement or an answer contains a word.
  function wordTest(data, word) {
    const { statementWords, answerWords, cases } = searchable(data.details);
    const inStatement = statementWords.map((text) => text.includes(word));
    const inAnswer = answerWords.map((text) => text.includes(word));
    return (number) => {
      const found = cases[number];
      if (inStatement[found[0]] || wordsOf(data, data.cases[number]).includes(word)) return true;
      for (let at = 6; at < found.length; at++) if (inAnswer[found[at]]) return true;
      return false;
    };
  }
