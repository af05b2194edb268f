  /*
   * A row of the list: the question, its place, and the outcome of each implementation as a cell.  On a page that
   * compares, a row also has the answers, in a few words each, and why they differ.
   */
  const FEW = 6; // the most implementations for cells with room for a word
  const SIGNS = {
    "pass": "✓", "variant": "v", "partial": "p", "fail": "✗", "unsupported": "–", "error": "E", "timeout": "T",
    "crash": "C", "garbage": "G", "no-answer": "N", "aborted": "A", "none": "·",
  };

  // An empty row; `fillRow` fills it, also with another case later.
  function makeRow(data) {
    const input = el("span", { class: "input" }), where = el("span", { class: "where" }), briefs = el("span", { class: "briefs", hidden: data.compared ? null : "" });
    const sums = el("span", { class: "sums", "aria-hidden": "true" }), heard = el("span", { class: "sr" });
    const cells = data.implementations.map(() => el("i", { class: "cell" }, " "));
    const element = el("div", { class: "row", role: "option" },
      el("span", { class: "what" }, input, briefs, where), sums, el("span", { class: "cells", "aria-hidden": "true" }, ...cells), heard);
    return { element, input, briefs, where, sums, heard, cells, many: cells.length > FEW, shown: cells.map(() => "") };
  }

  // The columns of each outcome of a row, in the order of the signs, which is the same in every row.
  function byOutcome(outcomes, columns) {
    const found = new Map(Object.keys(SIGNS).map((outcome) => [outcome, []]));
    for (const column of [...columns].sort((one, other) => one - other)) found.get(outcomes[column]).push(column);
    return [...found].filter(([, columns]) => columns.length);
  }

  function fillRow(data, row, each, order) {
    const outcomes = data.outcomesOf(each.number);
    const where = [`${data.specs[each.spec]} § ${each.section}`, [each.op, each.inputs.rule].filter(Boolean).join(" "), each.level, each.id, each.witness && "witness"].filter(Boolean);
    row.input.replaceChildren(...questionInRow(each));
    const place = el("span", { class: "place" }, ...where.flatMap((part, at) => [at ? " · " : "", ...visibleWords(part)]));
    const why = data.compared ? [el("span", { class: "why" }, ...differenceInRow(data, each))] : [];
    row.where.replaceChildren(...why, place);
    if (data.compared) row.briefs.replaceChildren(...briefsInRow(data, each));
    const sums = byOutcome(outcomes, order);
    row.sums.replaceChildren(...sums.map(([outcome, columns]) => el("span", { class: `o-${outcome}` }, `${columns.length} ${SIGNS[outcome]} `)));
    row.heard.replaceChildren(...visibleWords(heardOf(data, outcomes, sums, order)));
    row.cells.forEach((cell, at) => { cell.hidden = at >= order.length; });
    order.forEach((column, at) => {
      const outcome = outcomes[column], key = `${column} ${outcome}`;
      if (row.shown[at] === key) return;
      row.shown[at] = key;
      const cell = row.cells[at];
      cell.className = `cell o-${outcome}`;
      cell.firstChild.data = row.many ? SIGNS[outcome] : outcome === "none" ? "" : outcome;
      if (!row.many) cell.dataset.sign = SIGNS[outcome]; // if there is no room for the word
    });
  }

  // The answers to a case: that of the RFC, then those of the largest groups; none until the details are loaded.
  function briefsInRow(data, { number }) {
    const briefs = data.details?.briefs, nodes = [];
    if (!briefs || !briefs.cases[number]) return nodes;
    const [, ...numbers] = briefs.cases[number];
    for (let at = 0; at < numbers.length; at += 2) {
      const label = briefs.texts[numbers[at]], words = briefs.texts[numbers[at + 1]];
      nodes.push(el("span", { class: at ? "brief" : "brief right", title: `${label}: ${words}` }, el("span", { class: "by" }, ...visibleWords(label)), " ", el("span", { class: "code" }, ...visibleWords(words)), " "));
    }
    return nodes;
  }

  // How the answers to a case differ: severity, class and cause; nothing for equal answers.
  function differenceInRow(data, { number }) {
    const briefs = data.compared ? data.details?.briefs : null, found = data.details?.differences.cases[number];
    if (!briefs || !found.length) return [];
    const [severity] = briefs.cases[number], [parts, cls, cause] = found, { titles, classes, causes } = data.details.differences;
    const isSpelling = !data.details.differences.parts[parts].length;
    return [el("span", { class: `severity s-${isSpelling ? "verdict" : briefs.shades[severity]}` }, ...visibleWords(briefs.severities[severity])), " ",
      ...[isSpelling && "in spelling only", classes[cls] === "none" ? "no named class" : titles[cls], causes[cause]].filter(Boolean).flatMap((word, at) => [at ? " · " : "", ...visibleWords(word)])];
  }

  // The title of a cell: the implementation and the outcome.
  function titleCells(data, list, rowAt, orderNow) {
    list.addEventListener("pointerover", ({ target }) => {
      if (!target.classList.contains("cell")) return;
      const column = orderNow()[[...target.parentNode.children].indexOf(target)];
      const outcome = data.outcomesOf(rowAt(target))[column];
      target.title = plain(`${data.implementations[column]}: ${outcome === "none" ? "not asked" : outcome}`);
    });
  }

  // The outcomes of a row in words: each of a few implementations, or how many passed and which did not.
  function heardOf(data, outcomes, sums, columns) {
    const names = data.implementations;
    if (columns.length <= FEW) return "; " + columns.map((column) => `${names[column]}: ${outcomes[column]}`).join(", ");
    const passed = columns.filter((column) => data.kinds[outcomes[column]] === "passed").length;
    const parts = sums.filter(([outcome]) => data.kinds[outcome] !== "passed").map(([outcome, columns]) => (
      outcome === "unsupported" || outcome === "none" ? `${columns.length} ${outcome}` : `${outcome}: ${columns.map((column) => names[column]).join(", ")}`));
    return [`; passed by ${passed} of ${columns.length}`, ...parts].join("; ");
  }

  // The names above the cells: one tab stop, arrow keys move among them, and each is a filter.
  function fillHeads(data, order, pressed, onToggle) {
    const heads = byId("columns");
    const focused = [...heads.children].indexOf(document.activeElement);
    const buttons = order.map((column, at) => {
      const name = data.implementations[column], head = data.heads[column];
      return el("button", { type: "button", title: `Only cases that ${name} fails`, "aria-label": head === name ? null : name, "aria-pressed": pressed.has(column),
        "data-column": column, tabindex: at === Math.max(0, focused) ? "0" : "-1", onclick: () => onToggle(column) }, el("span", {}, ...visibleWords(head)));
    });
    heads.replaceChildren(...buttons);
    if (focused >= 0) (buttons[focused] || buttons[0]).focus();
  }

  // Arrow keys within a group of buttons.
  function roving(group) {
    group.addEventListener("keydown", (event) => {
      const buttons = [...group.children], at = buttons.indexOf(document.activeElement);
      const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
      if (next === undefined || !buttons[next]) return;
      event.preventDefault();
      buttons[at].tabIndex = -1;
      buttons[next].tabIndex = 0;
      buttons[next].focus();
    });
  }
