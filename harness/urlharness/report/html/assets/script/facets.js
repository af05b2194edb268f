  /*
   * The facets: menus that write atoms into the query and show those in it.
   */
  const LEVELS = ["grammar", "algorithm", "must", "should", "may", "example", "note"];

  const ANSWER_WORDS = [["right", "Right"], ["wrong", "Wrong"], ["not-exposed", "Not exposed"], ["not-offered", "Not offered"]];

  const same = (one, other) => one.toLowerCase() === other.toLowerCase();

  function fillMenu(select, groups, value) {
    const option = ([key, label]) => {
      const made = el("option", {}, label);
      made.value = key; // unchanged, for the query
      made.selected = same(key, value);
      return made;
    };
    select.replaceChildren(...groups.flatMap(([title, entries]) =>
      (title && entries.length ? [el("optgroup", { label: title }, ...entries.map(option))] : entries.map(option))));
    if (value && !same(select.value, value)) select.value = "";
  }

  // The number of cases of each outcome, for the menu.
  function outcomeCounts(data) {
    const perPattern = data.patterns.map(() => 0);
    for (const { pattern, tier } of data.cases) if (tier === CORE || !data.tiers.includes(CORE)) perPattern[pattern]++;
    const counts = new Map();
    data.patterns.forEach((outcomes, at) => {
      for (const outcome of new Set(outcomes)) counts.set(outcome, (counts.get(outcome) || 0) + perPattern[at]);
    });
    return counts;
  }

  function makeFacets(data, change) {
    const fields = Object.fromEntries(["outcome", "impl", "spec", "section", "flag", "level", "origin", "tier"].map((name) => [name, byId("f-" + name)]));
    const counts = outcomeCounts(data);
    const names = data.implementations, somewhere = names.length < 2 ? "" : " somewhere";
    const stored = data.cases.filter(({ tier }) => tier === CORE || !data.tiers.includes(CORE));
    const sumOf = (value) => {
      const fits = patternTest(data, (found) => found.some(outcomeFits(data, value)));
      return stored.filter(({ number }) => fits(number)).length;
    };
    const witnesses = stored.filter(({ witness }) => witness).length, twins = stored.filter(({ id }) => isTwin(id)).length;
    const derived = stored.filter(({ id }) => isDerived(id)).length;
    const here = (values, order) => order.filter((value) => values.has(value));
    const flags = new Set(data.flagsets.flat()), levels = new Set(data.cases.map(({ level }) => level));
    const outcomes = [
      ["", [["", "Any"], ["outcome:failing", "Failing somewhere"], ["outcome:differing", "Outcomes differ"], ...(names.length < 2 ? [] : [["is:different", "Answers differ"]])]],
      ["Finding of the gate", [...data.findings].map(([kind, ids]) => [`finding:${kind}`, `${kind} (${ids.size.toLocaleString("en")})`])],
      ["Odd man out", names.length < 3 ? [] : [["odd:any", "One differs"], ...names.map((name, column) => ["odd:" + named(name), `Only ${data.words[column]}`])]],
      ["Answer", ANSWER_WORDS.map(([value, words]) => [`outcome:${value}`, `${words}${somewhere} (${sumOf(value).toLocaleString("en")})`])],
      ["Outcome", data.outcomes.filter((outcome) => counts.get(outcome)).map((outcome) => ["outcome:" + outcome, `${outcome}${somewhere} (${counts.get(outcome).toLocaleString("en")})`])],
      ["Passed by", names.length < 2 ? [] : [...names.keys(), names.length].reverse().map((count) => ["passes:" + count, `${count} of ${names.length}`])],
    ];

    // The only atom about outcomes in a query, as the menu names it.
    function outcomeIn(text) {
      const found = IN_THE_MENU.map((name) => [name, valueOf(data, text, name)]).filter(([, value]) => value);
      return found.length === 1 ? found[0].join(":") : "";
    }

    function show(text) {
      const spec = valueOf(data, text, "spec");
      const sections = data.sections.filter(([one]) => one === specOf(spec)).map(([, section, title]) => [section, `${section} ${title}`]);
      fillMenu(fields.outcome, outcomes, outcomeIn(text));
      fillMenu(fields.impl, [["", [["", "Any"], ...names.map((name, column) => [named(name), data.words[column]])]]], valueOf(data, text, "impl"));
      fillMenu(fields.spec, [["", [["", "All"], ...data.specsHere.map((one) => [one, data.specs[one]])]]], spec && specOf(spec));
      fillMenu(fields.section, [["", [["", "All"], ...sections]]], valueOf(data, text, "section"));
      fillMenu(fields.flag, [["", [["", "Any"], ...here(flags, Object.keys(data.flags)).map((flag) => [flag, flag])]]], valueOf(data, text, "flag"));
      fillMenu(fields.level, [["", [["", "All"], ...here(levels, LEVELS).map((level) => [level, level])]]], valueOf(data, text, "level"));
      fillMenu(fields.origin, [["", [["", "All"], ["human", `People (${(stored.length - witnesses - derived).toLocaleString("en")})`], ["twin", `Of these, twins (${twins.toLocaleString("en")})`], ["derived", `Derived from vectors of another RFC (${derived.toLocaleString("en")})`], ["mutant", `Programs: witnesses (${witnesses.toLocaleString("en")})`]]]], valueOf(data, text, "origin"));
      fillMenu(fields.tier, [["", [["", "Stored"], ...data.tiers.filter((tier) => tier !== CORE).map((tier) => [tier, tier])]]], valueOf(data, text, "tier"));
      fields.section.disabled = !spec;
      fields.tier.parentNode.hidden = data.tiers.length < 2;
    }

    for (const [name, field] of Object.entries(fields)) {
      field.addEventListener("change", () => change((text) => {
        if (name === "outcome") return withAtoms(data, text, IN_THE_MENU, [[field.value.split(":")[0], field.value.slice(field.value.indexOf(":") + 1)]]);
        return withAtoms(data, text, name === "spec" ? ["spec", "section"] : [name], [[name, field.value]]);
      }));
    }
    return { show };
  }

  // The implementations that have an atom, as in urllib:failing.
  function pressedIn(data, text) {
    return new Set(tokens(text).map((token) => readToken(data, token))
      .filter(({ name, negated, values }) => name === "of" && !negated && values.join() === "failing").map(({ column }) => column));
  }

  // The query with that atom added or removed.
  function toggled(data, text, column) {
    const own = (token) => { const read = readToken(data, token); return read.name === "of" && read.column === column; };
    const kept = tokens(text).filter((token) => !own(token)).map(({ raw }) => raw);
    return pressedIn(data, text).has(column) ? kept.join(" ") : [...kept, `${quotedValue(data.implementations[column])}:failing`].join(" ");
  }
