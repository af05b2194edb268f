  /*
   * The answers of many implementations at a glance: equal ones together, the biggest group first.
   */
  const BY_HARM = ["host", "userinfo", "scheme", "port", "path", "query", "fragment"];
  const ASIDE = ["message", "also", "rules", "rulings", "may_reject", "may_accept", "layer", "section", "at"];

  // The components that an answer has, the most harmful first.  The authority is left out if it follows from the
  // host and does not contradict it.  An empty one counts as absent unless the library tells one from the other.
  function partsAtAGlance(components, tells, contradicts) {
    const rank = (name) => (name === "authority" ? 0.5 : BY_HARM.includes(name) ? BY_HARM.indexOf(name) : BY_HARM.length);
    const follows = Object.hasOwn(components, "host") && !contradicts;
    return Object.entries(components).filter(([name, value]) => value !== null && (value !== "" || tells || name === "path") && !(name === "authority" && follows))
      .sort(([one], [other]) => rank(one) - rank(other));
  }

  // Whether an answer says that there is no host; one that does not expose it says nothing.
  function deniesHost(components, parts) {
    const whole = [Object.hasOwn(components, "host") ? "host" : "authority", "net_loc"].filter((name) => Object.hasOwn(components, name));
    return whole.length > 0 && !parts.some(([name]) => whole.includes(name));
  }

  function partNodes(components, tells, contradicts = false) {
    const parts = partsAtAGlance(components, tells, contradicts);
    const host = deniesHost(components, parts) ? [said("no host"), " "] : [];
    return [...host, ...parts.flatMap(([name, value]) => [el("span", { class: "part" }, el("b", {}, ...visible(name)), " ", ...valueNodes(value)), " "])];
  }

  // An answer in one line, and a key that equal answers share.
  function glanceOf(data, each, expect, answer, tells) {
    if (answer === null) return { key: "", nodes: [said(each.tier === CORE ? "not asked" : "not kept")], silent: true };
    const [outcome, variant, , got] = answer;
    if (data.kinds[outcome] === "abnormal") return { key: outcome, nodes: [said(outcome)] };
    if (got.status !== "ok" && got.status !== "reject") return { key: "unsupported", nodes: [said("not offered")], silent: true };
    if (got.status === "reject") return { key: "reject", nodes: ["rejects"] };
    if (isObject(got.components)) {
      const given = [got.components, tells, data.details.contradicting.has(answer)], parts = partsAtAGlance(...given);
      return { key: JSON.stringify([deniesHost(got.components, parts), parts]), nodes: partNodes(...given) };
    }
    const same = alternatives(expect).find((one) => (one.variant || "") === variant) || alternatives(expect)[0];
    const shown = gotNodes(each, got, same);
    const rest = Object.entries(got).filter(([name]) => !ASIDE.includes(name)).sort();
    return { key: JSON.stringify(rest), nodes: shown.length ? shown : [said("another answer")] };
  }

  // The groups of equal answers of a case, those without an answer last.
  function glances(data, each, expect) {
    const groups = new Map();
    const { answerOf } = detailsOf(data, each);
    for (const column of data.implementations.keys()) {
      const answer = answerOf(column), glance = glanceOf(data, each, expect, answer, data.tells[column]);
      if (!groups.has(glance.key)) groups.set(glance.key, { ...glance, columns: [], outcomes: new Map() });
      const group = groups.get(glance.key), outcome = answer === null ? "none" : answer[0];
      group.columns.push(column);
      group.outcomes.set(outcome, (group.outcomes.get(outcome) || 0) + 1);
    }
    return [...groups.values()].sort((one, other) => Boolean(one.silent) - Boolean(other.silent) || other.columns.length - one.columns.length);
  }

  // A table of these groups; `chosen` is the column whose cell was clicked, or -1.
  function glanceTable(data, each, expect, chosen) {
    const nameOf = (column) => el(column === chosen ? "mark" : "span", {}, ...visibleWords(data.words[column]));
    const rows = glances(data, each, expect).map(({ nodes, columns, outcomes }) => el("tr", {},
      el("th", { scope: "row" }, String(columns.length)),
      el("td", {}, ...[...outcomes].filter(([outcome]) => outcome !== "none").sort(([, one], [, other]) => other - one).map(([outcome, count]) => el("div", {},
        el("span", { class: `pill o-${outcome}`, title: data.terms[outcome] }, outcomes.size > 1 ? `${count} ${outcome}` : outcome)))),
      el("td", {}, ...nodes),
      el("td", {}, ...columns.flatMap((column, at) => [at ? ", " : "", nameOf(column)]))));
    const wanted = alternatives(expect).map((one) => el("tr", { class: "wanted" }, el("th", { scope: "row" }, ""), el("td", {}, data.specs[each.spec]),
      el("td", {}, ...(isObject(one.components) ? partNodes(one.components, true) : expectedNodes(each, one))), el("td", {}, said(one.variant ? `variant ${one.variant}` : "expected"))));
    const heads = ["", "Outcome", "Answer", "Implementations"].map((word) => el("th", { scope: "col" }, word || el("span", { class: "sr" }, "Number")));
    return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Groups of equal answers" },
      el("table", { class: "glance" }, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...wanted, ...rows)));
  }

  // How the answers to a case differ, as facts; only stored cases have them.
  function differenceFacts(data, each) {
    const [parts, entry, cause] = data.details.differences.cases[each.number];
    if (parts === undefined) return [];
    const { differences } = data.details, names = differences.parts[parts], one = differences.classes[entry];
    const links = names.flatMap((name, at) => [at ? ", " : "", PARTS.includes(name) ? el("a", { href: queryLink([name, ""]), title: `All cases that differ in this` }, name) : name]);
    return [
      ["Answers differ in", ...(names.length ? links : [said("spelling only")]), `: ${differences.causes[cause]}`],
      ...(each.cls || one === "none" ? [] : [["Class of the difference", atomLink("class", one, ...visible(one))]]),
    ];
  }
