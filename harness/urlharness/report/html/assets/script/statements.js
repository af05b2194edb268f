  /*
   * The tables above and below the cases: sorted by a column, and the statements of a section in place.
   */
  function sortTables() {
    for (const table of document.querySelectorAll("table.sortable")) {
      const standing = [...table.tBodies[0].rows];
      if (standing.length < 2) continue;
      [...table.tHead.rows[0].cells].forEach((head) => {
        const nodes = [...head.childNodes], word = wordsOfHead(head);
        const apart = head.querySelector("a, abbr"); // a button contains neither
        const button = el("button", { type: "button", class: apart ? "sort apart" : "sort", "aria-label": `Sort by ${word}`, title: `Sort by ${word}` });
        if (apart) {
          apart.after(button);
        } else {
          button.append(...nodes);
          head.append(button);
        }
        button.addEventListener("click", () => sortBy(table, standing, head));
      });
    }
  }

  // The words of a head, without parts that are only for the eye.
  function wordsOfHead(head) {
    const copy = head.cloneNode(true);
    for (const hidden of copy.querySelectorAll('[aria-hidden="true"]')) hidden.remove();
    return [...copy.childNodes].map((node) => node.textContent.replace(/\s+/g, " ").trim()).filter(Boolean).join(", ");
  }

  // Sort ascending, then descending, then restore the first order.
  function sortBy(table, standing, head) {
    const column = head.cellIndex; // columns can be moved
    const before = head.getAttribute("aria-sort");
    const direction = before === null ? 1 : before === "ascending" ? -1 : 0;
    for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
    if (direction) head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
    for (const opened of table.querySelectorAll("tr.opened")) closeRow(opened);
    const key = (row) => {
      const cell = row.cells[Math.min(column, row.cells.length - 1)], text = cell.dataset.sort || cell.textContent.trim();
      return /^[-\u2212]?[\d.]+/.test(text) ? parseFloat(text.replace("\u2212", "-")) : text.toLowerCase();
    };
    const compared = (one, other) => (typeof one === typeof other ? (one < other ? -1 : one > other ? 1 : 0) : typeof one === "number" ? 1 : -1);
    const rows = direction ? [...standing].sort((one, other) => direction * compared(key(one), key(other))) : standing;
    table.tBodies[0].append(...rows);
  }

  // The addresses of the coloured numbers: the wrong answers of a section or component.
  function linkTiles(data) {
    for (const tile of document.querySelectorAll("a.heat:not([href])")) {
      const cell = tile.parentNode, row = cell.parentNode, table = row.closest("table"); // a row is a section, or an implementation
      const { spec, section, component, column } = { ...table.dataset, ...table.tHead.rows[0].cells[cell.cellIndex].dataset, ...row.dataset };
      const what = component ? [["op", "parse"], ["component", component]] : [["section", section], ["outcome", "wrong"]];
      tile.href = queryLink(["spec", spec], ["impl", data.implementations[column]], ...what, ["binding", "required"]);
    }
  }

  function closeRow(opened) {
    opened.previousElementSibling.querySelector("button.more").setAttribute("aria-expanded", "false");
    opened.remove();
  }

  // A button in each section row that opens its statements below it.
  function offerStatements(data) {
    for (const row of document.querySelectorAll(".sections tr[data-section]")) {
      const button = el("button", { type: "button", class: "more", "aria-expanded": "false", "aria-label": `Statements of section ${row.dataset.section}`, title: "Statements" });
      row.cells[0].prepend(button);
      button.addEventListener("click", () => {
        const next = row.nextElementSibling;
        if (next && next.classList.contains("opened")) return closeRow(next);
        button.setAttribute("aria-expanded", "true");
        row.after(el("tr", { class: "opened" }, el("td", { colspan: row.cells.length }, ...statementNodes(data, row.dataset.spec, row.dataset.section))));
      });
    }
  }

  // The state of a statement by column: its required vectors decide.
  function stateOf(data, numbers, column) {
    const outcomes = numbers.map((number) => data.outcomesOf(number)[column]).filter((outcome) => outcome !== "none");
    const right = outcomes.filter((outcome) => data.kinds[outcome] === "passed").length;
    if (!outcomes.length) return "";
    if (outcomes.some((outcome) => data.failing.has(outcome))) return "failed";
    if (right === outcomes.length) return "held";
    return right || outcomes.includes("partial") ? "partly answered" : "open";
  }
  const STATES = { "failed": "fail", "partly answered": "partial", "open": "unsupported", "held": "pass" };

  function statementNodes(data, spec, section) {
    if (!data.details) return [said("The details are still being read.")];
    const { requirements, paragraphs, cases } = data.details;
    const found = new Map();
    for (const each of data.cases) {
      if (each.spec !== spec || each.section !== section || each.tier !== CORE) continue;
      const one = cases[each.number][0];
      if (!found.has(one)) found.set(one, []);
      if (each.binding === "required") found.get(one).push(each.number);
    }
    if (!found.size) return [said("This section itself has no statement; see the sections below it.")];
    return [el("ol", { class: "statements" }, ...[...found].map(([one, numbers]) => {
      const { id, statement, ruling } = requirements[one];
      const states = data.implementations.map((_, column) => stateOf(data, numbers, column));
      return el("li", {},
        el("p", {}, ...visibleWords(statement), " ", el("a", { href: queryLink(["statement", id]), title: id }, `${numbers.length} required`)),
        el("p", { class: "by" }, ...(numbers.length ? stateNodes(data, states) : [said("not scored")])),
        ...(ruling ? [el("div", { class: "why" }, ...rulingNodes(data, [ruling]))] : []),
        ...(paragraphs[one].length ? [folded("The paragraph of the RFC", ...quoteNodes(paragraphs[one]))] : []));
    }))];
  }

  // The implementations by state, the failed ones first.
  function stateNodes(data, states) {
    return Object.keys(STATES).filter((state) => states.includes(state)).flatMap((state) => [
      el("span", { class: `pill o-${STATES[state]}`, title: data.terms[state] }, state), " ",
      ...namesOf(data, [...states.keys()].filter((column) => states[column] === state), 6), "  "]);
  }
