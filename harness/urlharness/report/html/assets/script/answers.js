  /*
   * Expected and actual answers in words, and components side by side.
   */
  // Components or the parts of a decoded view, which are compared one by one.
  const partsOf = ({ components, decoded }) => (components === undefined ? decoded : components);

  const orNode = () => el("span", { class: "said" }, " or ");

  // The URLs of a text in order, each with its readings.
  function urlNodes(urls) {
    if (!Array.isArray(urls) || !urls.length) return [said("no URL")];
    return [el("ol", { class: "urls" }, ...urls.map((readings) => el("li", {},
      ...(Array.isArray(readings) && readings.length ? readings.flatMap((text, at) => [at ? orNode() : "", ...valueNodes(text)]) : [said("no reading")]))))];
  }

  const baseNodes = (base, marked) => (base === null ? [said("no base")] : valueNodes(base, marked));

  function expectedNodes({ op }, expected) {
    if (expected.valid === true) return ["valid"];
    if (expected.valid === false) {
      const at = expected.at === undefined ? "" : ` from offset ${expected.at}`;
      const rules = (expected.rules || []).length ? `, inside ${expected.rules.join(", ")}` : "";
      return [op === "validate" ? "invalid" : "a refusal", at, rules];
    }
    if (expected.same_document) return ["the same document"];
    if (partsOf(expected) !== undefined) return ["the parts in the table"];
    if (expected.urls !== undefined) return urlNodes(expected.urls);
    if (expected.equal !== undefined) return [expected.equal ? "equivalent" : "different"];
    if (expected.base !== undefined) return baseNodes(expected.base);
    return valueNodes(expected.result);
  }

  function gotNodes({ op }, got, expected) {
    const at = Number.isInteger(got.at) ? ` at offset ${got.at}` : "";
    if (got.status === "reject") return [`rejected${at}`];
    if (got.status === "unsupported") return ["not supported"];
    if (got.status !== "ok") return [];
    if (got.same_document) return ["the same document: ", ...valueNodes(got.url)];
    if (op === "validate") return ["accepted"];
    if (got.components !== undefined) return op === "parse" ? [] : valueNodes(got.components);
    if (got.decoded !== undefined) return op === "decode" ? [] : valueNodes(got.decoded);
    if (got.urls !== undefined) return urlNodes(got.urls);
    if (got.equal !== undefined) return [got.equal ? "equivalent" : "different"];
    if (got.base !== undefined) return baseNodes(got.base, difference(got.base, expected.base));
    if (["extract", "equivalent", "decode", "base"].includes(op)) return []; // the verdict says what is missing
    if (got.url === undefined) return [said("no url in the answer")];
    return valueNodes(got.url, difference(got.url, expected.result));
  }

  // The part of the verdict that the answer above it does not show.
  function reasonOf(detail, shown, got) {
    if (detail.startsWith("got ") && [got.url, got.equal, got.base].some((value) => value !== undefined)) return "";
    const word = typeof shown[0] === "string" ? shown[0].split(" ")[0] : "";
    if (word !== "accepted" && word !== "rejected") return detail;
    if (detail === word) return "";
    return detail.startsWith(word + ": ") || detail.startsWith(word + ", ") ? detail.slice(word.length + 2) : detail;
  }

  // The names of some columns, or the first of many and how many more.
  function namesOf(data, columns, most) {
    const shown = columns.length > most + 1 ? columns.slice(0, most) : columns;
    const nodes = shown.flatMap((column, at) => [at ? ", " : "", ...visibleWords(data.words[column])]);
    return columns.length > shown.length ? [...nodes, ` and ${columns.length - shown.length} more`] : nodes;
  }

  // The components that an answer shows, in the order of display.
  const partNodes = (components, { order = [], absent = "" }) => [
    ...(absent ? [said(absent), " "] : []),
    ...order.flatMap((name) => [el("span", { class: "part" }, el("b", {}, ...visible(name)), " ", ...valueNodes(components[name])), " "]),
  ];

  // An answer in one line.
  function glanceNodes(data, each, expect, answer) {
    if (answer === null) return [said(each.tier === CORE ? "not asked" : "not kept")];
    const [outcome, variant, , got, , , , shown] = answer;
    if (data.kinds[outcome] === "abnormal") return [said(outcome)];
    if (got.status !== "ok" && got.status !== "reject") return [said("not offered")];
    if (got.status === "reject") return ["rejects"];
    if (got.components !== undefined && shown !== null) return partNodes(got.components, data.details.shown[shown]);
    const same = alternatives(expect).find((one) => (one.variant || "") === variant) || alternatives(expect)[0];
    const nodes = gotNodes(each, got, same);
    return nodes.length ? nodes : [said("another answer")];
  }

  // A table of the groups of equal answers; `chosen` is the column whose cell was clicked, or -1.
  function glanceTable(data, each, expect, chosen) {
    const { answerOf } = detailsOf(data, each);
    const nameOf = (column) => el(column === chosen ? "mark" : "span", {}, ...visibleWords(data.words[column]));
    const rows = equalAnswers(data, each).map(({ answer, columns }) => el("tr", {},
      el("th", { scope: "row" }, String(columns.length)),
      el("td", {}, ...outcomePills(data, columns.map(answerOf))),
      el("td", {}, ...glanceNodes(data, each, expect, answer)),
      el("td", {}, ...columns.flatMap((column, at) => [at ? ", " : "", nameOf(column)]))));
    const shownBy = data.details.groups.cases[each.number].slice(1);
    const wanted = alternatives(expect).map((one, at) => el("tr", { class: "wanted" }, el("th", { scope: "row" }, ""), el("td", {}, data.specs[each.spec]),
      el("td", {}, ...(isObject(one.components) ? partNodes(one.components, data.details.shown[shownBy[at]]) : expectedNodes(each, one))), el("td", {}, said(one.variant ? `variant ${one.variant}` : "expected"))));
    const heads = ["", "Outcome", "Answer", "Implementations"].map((word) => el("th", { scope: "col" }, word || el("span", { class: "sr" }, "Number")));
    return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Groups of equal answers" },
      el("table", { class: "glance" }, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...wanted, ...rows)));
  }

  // The outcomes of equal answers, the most common first, with counts if there are several.
  function outcomePills(data, answers) {
    const counts = new Map();
    for (const answer of answers) if (answer !== null) counts.set(answer[0], (counts.get(answer[0]) || 0) + 1);
    return [...counts].sort(([, one], [, other]) => other - one).map(([outcome, count]) => el("div", {},
      el("span", { class: `pill o-${outcome}`, title: data.terms[outcome] }, counts.size > 1 ? `${count} ${outcome}` : outcome)));
  }

  // The word shown instead of components: a rejection or an abnormal end; otherwise "".
  function withoutParts(data, [outcome, , , got]) {
    if (got.status === "reject") return "rejected";
    return data.kinds[outcome] === "abnormal" ? outcome : "";
  }

  // Join groups that differ only in messages.
  function equalParts(groups) {
    const found = new Map();
    for (const { columns, ...group } of groups) {
      const key = JSON.stringify(group.without || group);
      if (found.has(key)) found.get(key).columns.push(...columns);
      else found.set(key, { ...group, columns: [...columns] });
    }
    return [...found.values()];
  }

  // The authority that userinfo, host and port make up (RFC 3986, section 3.2).
  function derivedAuthority({ userinfo, host, port }) {
    if (!host || ![userinfo, host, port].every((part) => part === null || typeof part === "string")) return undefined;
    return `${userinfo ? `${userinfo}@` : ""}${host}${port ? `:${port}` : ""}`;
  }

  // Components side by side, a column for each different answer; differences have a sign as well as a colour.
  function comparison(data, each, expect, groups) {
    const wanted = alternatives(expect).map((one) => ({ parts: partsOf(one), variant: one.variant }))
      .filter(({ parts }) => parts !== undefined);
    if (!wanted.length) return null;
    const got = equalParts(groups.filter(({ answer }) => answer).map(({ columns, answer }) => ({ columns, marks: answer[5], parts: partsOf(answer[3]), without: withoutParts(data, answer) }))
      .filter(({ parts, without }) => without || (parts !== null && typeof parts === "object")));
    const order = data.components[each.spec] || [];
    const rank = (name) => (order.includes(name) ? order.indexOf(name) : order.length);
    const names = [...new Set([...wanted, ...got.filter(({ without }) => !without)].flatMap(({ parts }) => Object.keys(parts)))].sort((one, other) => rank(one) - rank(other));
    const decoded = each.op === "decode";
    const head = el("tr", {}, el("th", { scope: "col" }, decoded ? "Part" : "Component"),
      ...wanted.map((one) => el("th", { scope: "col" }, ...visibleWords(one.variant ? `Expected, variant ${one.variant}` : "Expected"))),
      ...got.map((group) => el("th", { scope: "col" }, ...namesOf(data, group.columns, 2))));
    const body = names.map((name, at) => el("tr", {}, el("th", { scope: "row" }, ...visible(name)),
      ...wanted.map(({ parts }) => el("td", {}, ...(Object.hasOwn(parts, name) ? valueNodes(parts[name]) : [said("not judged")]))),
      ...got.map(({ marks, parts, without }) => {
        if (without) return at ? "" : el("td", { class: "wrong", rowspan: names.length }, el("span", { class: "differs", "aria-hidden": "true" }, "≠"), said(without));
        const wrong = marks && marks[1].includes(name), untold = marks && marks[2].includes(name);
        const derived = name === "authority" && !Object.hasOwn(parts, name) ? derivedAuthority(parts) : undefined;
        const value = Object.hasOwn(parts, name) ? parts[name] : derived;
        const other = wanted[marks ? Math.min(marks[0], wanted.length - 1) : 0].parts[name];
        return el("td", wrong ? { class: "wrong" } : {},
          ...(wrong ? [el("span", { class: "differs", "aria-hidden": "true" }, "≠"), el("span", { class: "sr" }, "differs: ")] : []),
          ...valueNodes(value, wrong ? difference(value, other) : null),
          ...(derived === undefined ? [] : [" ", said("derived")]),
          ...(untold && value !== undefined ? [" ", said("cannot tell absent from empty")] : []));
      })));
    return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": decoded ? "Decoded view" : "Components" },
      el("table", { class: "compare" }, el("thead", {}, head), el("tbody", {}, ...body)));
  }
