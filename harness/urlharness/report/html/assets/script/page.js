  /*
   * The page: the query and the open case, which are part of the address, and their views.
   */
  const MANY = 8;              // with as many implementations, rows start compact
  const CELL = 17, ROOM = 230; // width of a cell, as in the style sheet, and least width of the rest of a row
  const LEAST = 24;            // the fewest columns in sight; with room for fewer, rows show counts
  const BESIDE = 900;          // least width of a list with the answers to a case beside each other, as in the style sheet
  const BESIDE_LINES = 2;      // lines of answers beside each other of many implementations, as in the style sheet
  const WHY = 2;               // lines in a narrow row for the difference
  const WIDE = 560;            // width beside the cells from which a row has room for the place of its case
  const narrow = () => matchMedia("(max-width: 980px)").matches; // as in the style sheet

  const FAILING = "outcome:failing"; // the initial query of a report: the cases that any implementation fails
  const OWN = "urlconform";    // the state of a step of the history that this page made

  // The state in the address, or without a query the initial one.
  function readHash(start) {
    const parameters = new URLSearchParams(location.hash.slice(1));
    const text = (name) => parameters.get(name) || "";
    return { q: parameters.has("q") ? parameters.get("q") : start, case: text("case"), order: text("order"), columns: text("columns") };
  }

  function hashOf({ q, ...others }) {
    const parameters = new URLSearchParams({ q });
    for (const [name, value] of Object.entries(others)) if (value) parameters.set(name, value);
    return "#" + parameters;
  }

  function start(data) {
    const box = byId("f-q");
    let state = { q: data.start, case: "", order: "", columns: "" }, typing = false, shownQuery = null, clicked = -1;
    let shown = ORDERS.run(data), arrangeTables = null;

    const list = makeList(data, open);
    const detail = makeDetail(data, { onStep: (step) => open(list.neighbour(data.numbers.get(state.case), step), true), onClose: close,
      onShow: (each) => { change(each.tier === CORE ? "" : `tier:${quotedValue(each.tier)}`); detail.element.focus({ preventScroll: true }); } });
    const facets = makeFacets(data, (rewrite) => change(rewrite(state.q)));
    const cores = data.cases.filter(({ tier }) => tier === CORE).length;
    const columns = makeColumns(data, (change) => { state = { ...state, ...change }; keep(true); showColumns(); });

    // Write the state to the address, as a new step of the history or in place of the present one.
    function keep(step) {
      if (hashOf(state) !== location.hash) history[step ? "pushState" : "replaceState"](OWN, "", hashOf(state));
    }

    function showColumns() {
      const next = columns.show(state);
      if (next.join() === shown.join()) return;
      shown = next;
      heads();
      crowded();
      list.reorder(shown);
      if (arrangeTables) arrangeTables(shown);
      columns.mark();
    }

    const heads = () => fillHeads(data, shown, pressedIn(data, state.q), (column) => change(toggled(data, state.q, column)));

    function refresh() {
      heads();
      facets.show(state.q);
      if (box.value !== state.q) box.value = state.q;
      byId("reset").hidden = state.q === data.start;
      if (!data.details && needsDetails(data, state.q)) {
        byId("count").textContent = "Reading the details.";
        return; // called again when they are loaded
      }
      const { found, problems, core } = select(data, state.q);
      shownQuery = state.q;
      list.show(found);
      const total = core ? cores : data.cases.length;
      const witnesses = found.reduce((sum, number) => sum + data.cases[number].witness, 0);
      const last = witnesses && witnesses < found.length ? ` ${witnesses.toLocaleString("en")} of them are witnesses${data.compared ? "" : ", listed last"}.` : "";
      const optional = found.filter((number) => data.cases[number].binding !== "required").length;
      const uncounted = optional && optional < found.length ? ` ${optional.toLocaleString("en")} of them ${optional === 1 ? "is" : "are"} not required; tables and gate count only those that are.` : "";
      const unknown = problems.length ? ` This report does not know ${problems.map((one) => plain(cut(one, 60))).join(", ")}.` : "";
      byId("count").textContent = `${found.length.toLocaleString("en")} of ${total.toLocaleString("en")} case${total === 1 ? "" : "s"}.${uncounted}${last}${unknown}`;
      byId("empty").hidden = found.length > 0;
      byId("matrix").hidden = !found.length;
      byId("empty").firstElementChild.textContent = state.q === FAILING ? "No case fails." : "No case fits this query.";
    }

    function showCase() {
      if (!state.case) {
        list.choose(-1, false);
        return detail.close();
      }
      const number = data.numbers.get(state.case);
      if (number === undefined) return detail.unknown(state.case);
      const has = (step) => list.neighbour(number, step) !== undefined;
      detail.show(data.cases[number], has(-1), has(1), list.has(number), clicked);
      list.choose(number, true);
    }

    function open(number, focus, column = -1) {
      if (number === undefined) return;
      clicked = column;
      const step = !state.case;
      state = { ...state, case: data.cases[number].id };
      keep(step);
      showCase();
      const top = detail.element.getBoundingClientRect().top;
      if (focus || top < 0 || narrow()) {
        if (top < 0 || top > innerHeight / 2) byId("workspace").scrollIntoView();
        if (focus || narrow()) detail.element.focus({ preventScroll: true });
      }
    }

    function close() {
      const last = data.numbers.get(state.case);
      state = { ...state, case: "" };
      keep(true);
      showCase();
      if (last !== undefined) list.choose(last, true);
      list.focus();
    }

    function change(q, step = true) {
      state = { ...state, q };
      keep(step);
      refresh();
      if (state.case) showCase();
    }

    box.addEventListener("input", () => {
      change(box.value, !typing); // everything typed at once is one step of the history
      typing = true;
    });
    box.addEventListener("keydown", (event) => { if (event.key === "ArrowDown" || event.key === "Enter") list.enter(event); });
    for (const name of ["change", "blur"]) box.addEventListener(name, () => { typing = false; });
    byId("filters").addEventListener("submit", (event) => event.preventDefault());
    byId("reset").addEventListener("click", () => { change(data.start); box.focus(); });
    byId("empty").lastElementChild.addEventListener("click", () => { change(""); list.focus(); });

    function toggle(id, apply, on) {
      const button = byId(id);
      const set = (value) => { button.setAttribute("aria-pressed", value); apply(value); };
      button.addEventListener("click", () => set(button.getAttribute("aria-pressed") !== "true"));
      set(on);
    }
    const pane = byId("pane"), many = data.implementations.length > FEW;
    pane.classList.toggle("many", many);
    let answerLines = 0;
    pane.classList.toggle("compared", data.compared);
    // Show counts if cells would leave no room for the question.
    function crowded() {
      const count = shown.length, room = pane.clientWidth - count * CELL;
      pane.classList.toggle("crowded", many && pane.clientWidth < Math.min(count, LEAST) * CELL + ROOM);
      pane.classList.toggle("tight", many && room < WIDE);
      pane.style.setProperty("--shown", count);
      if (!data.compared) return;
      const stacked = pane.clientWidth < BESIDE, lines = stacked ? (data.details?.briefs.lines ?? 1) + WHY : many ? BESIDE_LINES : 1;
      pane.classList.toggle("stacked", stacked);
      if (lines !== answerLines) list.answers(lines);
      answerLines = lines;
    }
    new ResizeObserver(crowded).observe(pane);
    toggle("compact", (on) => { pane.classList.toggle("compact", on); list.compact(on); }, data.implementations.length > MANY && !data.compared);
    roving(byId("columns"));

    document.addEventListener("keydown", (event) => {
      const inField = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
      if (event.key === "/" && event.target !== box && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        box.focus();
        box.select();
      } else if (event.key === "Escape" && !inField && state.case) {
        close();
      } else if (event.key === "ArrowDown" && event.target === document.body && list.inSight()) {
        list.enter(event); // if the list is not visible, the arrow scrolls the page
      }
    });

    // An address with a state scrolls to the cases, or to the case if it fills the window.
    const arrive = () => (state.case && narrow() ? byId("workspace") : byId("cases")).scrollIntoView();

    function follow(first) {
      if (location.hash && !location.hash.includes("=")) {
        const target = document.getElementById(location.hash.slice(1)); // a part of the report, not a state
        if (target instanceof HTMLDetailsElement) target.open = true;
        return false;
      }
      const wasOpen = state.case, { order, columns: chosen } = state;
      state = readHash(data.start);
      if (history.state !== OWN) {
        if (!first) state = { ...state, order: state.order || order, columns: state.columns || chosen }; // a link keeps the columns
        history.replaceState(OWN, "", state.order || state.columns ? hashOf(state) : location.href);
      }
      typing = false;
      clicked = -1;
      showColumns();
      if (state.q !== shownQuery) refresh();
      showCase();
      if (wasOpen && !state.case && !detail.element.contains(document.activeElement)) list.focus();
      return location.hash !== "";
    }

    // A link above the cases leads to them, so that the keys move among them.
    addEventListener("hashchange", () => {
      if (!follow(false)) return;
      arrive();
      if (!state.case && !byId("app").contains(document.activeElement)) byId("list").focus({ preventScroll: true });
    });
    addEventListener("beforeprint", () => { for (const folded of document.querySelectorAll(".chapter, .further")) folded.open = true; });
    byId("app").hidden = false;
    const located = follow(true);
    if (located) arrive();
    else if (shownQuery === null) refresh();
    return {
      // The rest of the page has been read.
      parsed: () => {
        arrangeTables = makeTables();
        if (shown.join() !== ORDERS.run(data).join()) arrangeTables(shown);
        columns.mark();
        const target = location.hash.includes("=") ? null : document.getElementById(location.hash.slice(1));
        if (target instanceof HTMLDetailsElement) target.open = true;
        target?.scrollIntoView();
        if (located) arrive(); // the page has grown
      },
      detailed: () => { answerLines = 0; crowded(); if (state.q !== shownQuery) refresh(); if (state.case) showCase(); },
    };
  }

  const stand = (word) => { performance.mark(word); document.documentElement.dataset[word] = "yes"; };
  const parsed = () => (document.readyState === "loading" ? new Promise((resolve) => { document.addEventListener("DOMContentLoaded", resolve); }) : null);
  const painted = () => new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve)); });

  async function openReport() {
    const data = openList(await readBlock("listed"));
    const page = start(data);
    stand("listed");
    await painted();
    performance.mark("painted");
    await parsed();
    linkTiles(data); // the tables can wait for the cases
    sortTables();
    offerStatements(data);
    page.parsed();
    const details = await readBlock("details");
    data.details = details;
    page.detailed();
    stand("ready");
  }

  openReport().catch((error) => {
    const broken = byId("broken");
    broken.textContent = `The cases could not be shown: ${error}. A browser of 2023 or later is needed.`;
    broken.hidden = false;
  });
