  /*
   * The query: one line of text that selects the cases.  All atoms `name:value` must match, several
   * values with commas are alternatives, `-` before an atom negates it, and every other word is searched for.
   * Upper and lower case are equal.
   */
  const ABOUT_OUTCOMES = ["outcome", "odd", "passes"];
  const IN_THE_MENU = [...ABOUT_OUTCOMES, "is", "finding"]; // atoms of the menu of outcomes

  // The words of a query; quotation marks protect blanks, commas and colons.
  function tokens(text) {
    return (text.match(/(?:"[^"]*(?:"|$)|[^\s"])+/g) || []).map((raw) => {
      const negated = raw.length > 1 && raw.startsWith("-");
      const body = negated ? raw.slice(1) : raw;
      return { raw, negated, body };
    });
  }

  const unquoted = (text) => text.replaceAll('"', "");

  // Split a text at every separator outside of quotation marks.
  function parted(text, separator) {
    const parts = [""];
    let quoted = false;
    for (const char of text) {
      if (char === '"') quoted = !quoted;
      if (char === separator && !quoted) parts.push("");
      else parts[parts.length - 1] += char;
    }
    return parts;
  }

  // A value as written in a query; quotation marks cannot be escaped and become blanks.
  function quotedValue(value) {
    const text = value.replaceAll('"', " ");
    return text && !/[\s,:]/.test(text) ? text : `"${text}"`;
  }

  const named = (name) => name.replaceAll('"', " ");

  // The column of an implementation; an exact match wins over one in another case.
  function columnOf(data, text) {
    const exact = data.implementations.findIndex((name) => named(name) === text);
    return exact < 0 ? data.implementations.findIndex((name) => named(name).toLowerCase() === text.toLowerCase()) : exact;
  }

  /* Each atom: whether a value, in lower case, is known to this report, and which cases match it. */
  const field = (read, values) => ({
    knows: (data, value) => values(data).some((known) => known.toLowerCase() === value),
    test: (data, value) => (number) => read(data.cases[number], value),
  });
  const values = (read) => (data) => [...new Set(data.cases.flatMap(read))];

  const ATOMS = {
    spec: {
      knows: (data, value) => data.specsHere.includes(specOf(value)),
      test: (data, value) => (number) => data.cases[number].spec === specOf(value),
    },
    section: {
      knows: (data, value) => data.sections.some(([, section]) => isBelow(section, value)),
      test: (data, value) => (number) => isBelow(data.cases[number].section, value),
    },
    flag: field(({ flags }, value) => flags.includes(value), (data) => Object.keys(data.flags).concat(data.flagsets.flat())),
    level: field(({ level }, value) => level === value, values(({ level }) => level)),
    op: field(({ op }, value) => op === value, values(({ op }) => op)),
    binding: field(({ binding }, value) => binding === value, values(({ binding }) => binding)),
    rule: field(({ inputs }, value) => (inputs.rule || "").toLowerCase() === value, values(({ inputs }) => inputs.rule || [])),
    origin: field((each, value) => originsOf(each).includes(value), () => ["mutant", "human", "twin", "derived"]),
    tier: field(({ tier }, value) => tier === value, (data) => data.tiers),
    finding: { // of the gate
      knows: (data, value) => data.findings.has(value),
      test: (data, value) => (number) => data.findings.get(value).has(data.cases[number].id),
    },
    id: {
      knows: (data, value) => data.cases.some(({ id }) => id.toLowerCase().startsWith(value)),
      test: (data, value) => (number) => data.cases[number].id.toLowerCase().startsWith(value),
    },
  };

  // A twin has its answer from a person's vector, so it counts as made by people.
  const originsOf = ({ witness, id }) => {
    if (witness) return ["mutant"];
    if (isDerived(id)) return ["derived"];
    return isTwin(id) ? ["human", "twin"] : ["human"];
  };
  const isTwin = (id) => id.endsWith("-twin");
  const isDerived = (id) => /^[^-]+-[^-]+-derived-/.test(id);
  const specOf = (value) => "rfc" + value.toLowerCase().replace(/^rfc ?/, "");
  const isBelow = (section, value) => `${section}.`.toLowerCase().startsWith(value + ".");

  // Tests of outcomes are run once for each pattern of outcomes.
  function patternTest(data, fits) {
    const found = data.patterns.map(fits);
    return (number) => found[data.cases[number].pattern];
  }

  // The four kinds of answer, as the tables name them.
  const ANSWERS = { "right": "passed", "wrong": "failing", "not-exposed": "partial", "not-offered": "unsupported" };

  const isOutcome = (data, value) => ["failing", "differing", "all", "none"].includes(value) || Object.hasOwn(ANSWERS, value) || Object.hasOwn(data.kinds, value)
    || Object.values(data.kinds).includes(value);

  function outcomeFits(data, value) {
    if (value === "all") return () => true;
    if (Object.hasOwn(ANSWERS, value)) return outcomeFits(data, ANSWERS[value]);
    if (value === "failing") return (outcome) => data.failing.has(outcome);
    if (Object.hasOwn(data.kinds, value)) return (outcome) => outcome === value;
    return (outcome) => data.kinds[outcome] === value || outcome === value;
  }

  // The kinds of outcome (passed, failed, …) by column, of the columns that have one.
  const answered = (data, outcomes, columns) => columns.filter((column) => data.kinds[outcomes[column]] && outcomes[column] !== "unsupported");

  // The only column that differs if all others, at least two, agree; otherwise -1.
  function oddOne(data, outcomes) {
    const columns = answered(data, outcomes, [...outcomes.keys()]);
    if (columns.length < 3) return -1;
    const counts = new Map();
    for (const column of columns) counts.set(data.kinds[outcomes[column]], (counts.get(data.kinds[outcomes[column]]) || 0) + 1);
    if (counts.size !== 2) return -1;
    const alone = [...counts].find(([, count]) => count === 1);
    return alone ? columns.find((column) => data.kinds[outcomes[column]] === alone[0]) : -1;
  }

  function outcomeTest(data, value, columns) {
    if (value === "differing") {
      return (outcomes) => new Set(answered(data, outcomes, columns).map((column) => data.kinds[outcomes[column]])).size > 1;
    }
    const fits = outcomeFits(data, value);
    return (outcomes) => columns.some((column) => fits(outcomes[column]));
  }

  const passesTest = (data, value, columns) => (outcomes) => {
    const passed = columns.filter((column) => data.kinds[outcomes[column]] === "passed").length;
    return value === "all" ? passed === columns.length : passed === Number(value);
  };

  // Atoms about the details of a case: its statement, and components that an implementation gets wrong.
  const DETAILED = {
    statement: {
      knows: (data, value) => data.details.requirements.some(({ id }) => id.toLowerCase() === value),
      test: (data, value) => (number) => data.details.requirements[data.details.cases[number][0]].id.toLowerCase() === value,
    },
    component: {
      knows: (data, value) => Object.values(data.components).flat().concat(data.details.answers.flatMap(([, , , , , marks]) => (marks ? marks[1] : [])))
        .some((name) => name.toLowerCase() === value),
      test: (data, value, columns) => answerTest(data, ([, , , , , marks]) => marks !== null && marks[1].some((name) => name.toLowerCase() === value), columns),
    },
  };

  // The atom of a word if it needs the details, otherwise undefined.
  const detailed = (name) => [DETAILED, DIFFERENCES].find((atoms) => Object.hasOwn(atoms, name))?.[name];

  // One word of a query as { name, values } or { word }.
  function readToken(data, token) {
    const { raw, negated, body } = token;
    const stance = stanceIn(data, token);
    if (stance) return stance;
    const pieces = parted(body, ":");
    const outcomes = parted(pieces.at(-1), ",").map((one) => unquoted(one).toLowerCase());
    const before = unquoted(pieces.slice(0, -1).join(":"));
    const column = columnOf(data, before);
    if (pieces.length > 1 && column >= 0 && outcomes.every((one) => isOutcome(data, one))) return { raw, negated, name: "of", column, values: outcomes };
    const name = pieces[0].toLowerCase();
    if (pieces.length > 1 && (Object.hasOwn(ATOMS, name) || detailed(name) || ["impl", ...ABOUT_OUTCOMES].includes(name))) {
      return { raw, negated, name, values: parted(body.slice(name.length + 1), ",").map(unquoted) };
    }
    return { raw, negated, word: unquoted(body).toLowerCase(), alike: ATOM_ALIKE.test(body) };
  }

  // A word that looks like an atom with an unknown name; it is reported if no text contains it.
  const ATOM_ALIKE = /^[^\s":/?#]+:[^/?#]/;
  const standsSomewhere = (data, test) => data.cases.some(({ number }) => test(number));

  // A query as tests that must all hold; `core` is true if generated cases are left out.
  function compile(data, text) {
    const read = tokens(text).map((token) => readToken(data, token));
    const problems = [], tests = [];
    const all = [...data.implementations.keys()];
    const chosen = read.filter(({ name, negated }) => name === "impl" && !negated).flatMap(({ values }) => values);
    const asked = new Set(chosen.map((name) => columnOf(data, name)));
    const columns = chosen.length ? all.filter((column) => asked.has(column)) : all;
    let tier = data.tiers.length > 1 && data.tiers.includes(CORE);
    for (const token of read) {
      if (token.name === undefined) {
        const test = wordTest(data, token.word);
        if (token.alike && !standsSomewhere(data, test)) problems.push(unquoted(token.raw));
        tests.push(token.negated ? (number) => !test(number) : test);
        continue;
      }
      const alternatives = token.values.map((value) => {
        const found = atomTest(data, token, value, columns);
        if (!found) problems.push(["of", "stance"].includes(token.name) ? token.raw : `${token.name}:${value}`);
        return found || (() => false);
      });
      if (["tier", "id"].includes(token.name)) tier = false;
      const fits = alternatives.length === 1 ? alternatives[0] : (number) => alternatives.some((test) => test(number));
      tests.push(token.negated ? (number) => !fits(number) : fits);
    }
    if (read.some(({ name }) => isAboutDifferences(name))) tests.unshift(differenceTest(data, () => true));
    if (tier) tests.unshift((number) => data.cases[number].tier === CORE); // generated cases are shown when asked for
    return { tests, problems, core: tier };
  }

  // The test of one value of an atom; undefined if the value is unknown to this report.
  function atomTest(data, { name, column, negated }, written, columns) {
    const value = written.toLowerCase();
    if (name === "of") return patternTest(data, outcomeTest(data, value, [column]));
    if (name === "outcome") return isOutcome(data, value) ? patternTest(data, outcomeTest(data, value, columns)) : undefined;
    if (name === "passes") return value === "all" || (/^\d+$/.test(value) && Number(value) <= columns.length) ? patternTest(data, passesTest(data, value, columns)) : undefined;
    if (name === "impl" || (name === "odd" && value !== "any")) {
      const one = columnOf(data, written);
      if (one < 0) return undefined;
      if (name === "odd") return patternTest(data, (outcomes) => oddOne(data, outcomes) === one);
      return negated ? patternTest(data, (outcomes) => outcomes[one] !== "none") : patternTest(data, (outcomes) => columns.some((each) => outcomes[each] !== "none"));
    }
    if (name === "stance") return Object.hasOwn(STANCES, value) ? answerTest(data, (answer) => STANCES[value](data, answer), [column]) : undefined;
    if (detailed(name)) return detailed(name).knows(data, value, written) ? detailed(name).test(data, value, columns, written) : undefined;
    if (name === "odd") return patternTest(data, (outcomes) => columns.includes(oddOne(data, outcomes)));
    return ATOMS[name].knows(data, value) ? ATOMS[name].test(data, value) : undefined;
  }

  // The numbers of the cases that match a query, its unknown parts, and whether it leaves generated cases out.
  function select(data, text) {
    const { tests, problems, core } = compile(data, text);
    const found = [];
    for (let number = 0; number < data.cases.length; number++) if (tests.every((test) => test(number))) found.push(number);
    return { found, problems, core };
  }

  const needsDetails = (data, text) => tokens(text).map((token) => readToken(data, token))
    .some(({ name, word }) => word !== undefined || name === "stance" || detailed(name) !== undefined);

  // The value of an atom that a query has once, with one value; otherwise "".
  function valueOf(data, text, name) {
    const found = tokens(text).map((token) => readToken(data, token)).filter((token) => token.name === name);
    return found.length === 1 && !found[0].negated && found[0].values.length === 1 ? found[0].values[0] : "";
  }

  // The query with these atoms instead of all others of the same names.
  function withAtoms(data, text, names, atoms) {
    const kept = tokens(text).filter((token) => !names.includes(readToken(data, token).name)).map(({ raw }) => raw);
    return [...kept, ...atoms.filter(([, value]) => value).map(([name, value]) => `${name}:${quotedValue(value)}`)].join(" ");
  }

  const queryLink = (...atoms) => "#" + new URLSearchParams({ q: atoms.map(([name, value]) => `${name}:${value && quotedValue(value)}`).join(" ") });
