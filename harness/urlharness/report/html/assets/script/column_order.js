  /*
   * The columns: which implementations are shown, and in which order, in the list and in all tables.
   */
  const ORDERS = {
    quality: (data) => data.quality,
    run: (data) => [...data.implementations.keys()],
    name: (data) => ORDERS.run(data).sort((one, other) => data.implementations[one].localeCompare(data.implementations[other], "en", { sensitivity: "base" })),
    score: (data) => ORDERS.run(data).sort((one, other) => data.scores[other] - data.scores[one]),
    alike: (data) => data.order,
  };

  // The order in the address, or without one the initial order.
  const orderOf = (data, order) => (Object.hasOwn(ORDERS, order) ? order : data.ordered);

  // The columns to show for the state in the address, in its order.
  function columnsOf(data, { order, columns }) {
    const sorted = ORDERS[orderOf(data, order)](data);
    const chosen = new Set(columns ? parted(columns, ",").map((name) => columnOf(data, unquoted(name))) : []);
    const found = sorted.filter((column) => chosen.has(column));
    return found.length ? found : sorted;
  }

  // The names of the chosen columns for the address; empty if all are chosen, or none.
  function namesForAddress(data, chosen) {
    const all = data.implementations.length;
    return chosen.size && chosen.size < all ? ORDERS.run(data).filter((column) => chosen.has(column)).map((column) => quotedValue(data.implementations[column])).join(",") : "";
  }

  // The rows of a table with the cell of each column, made before the first change.
  const arranged = new WeakMap();

  function cellsOf(table) {
    if (!arranged.has(table)) {
      const heads = [...table.tHead.rows[0].cells], rows = [table.tHead.rows[0], ...table.tBodies[0].rows].filter((row) => row.cells.length === heads.length);
      arranged.set(table, rows.map((row) => [row, new Map(heads.flatMap((head, at) => (head.dataset.column ? [[Number(head.dataset.column), row.cells[at]]] : [])))]));
    }
    return arranged.get(table);
  }

  function arrangeTable(table, columns) {
    const shown = new Set(columns);
    for (const [row, cells] of cellsOf(table)) {
      for (const [column, cell] of cells) cell.hidden = !shown.has(column);
      row.append(...columns.filter((column) => cells.has(column)).map((column) => cells.get(column)));
    }
  }

  // The rows of implementations in the order of the columns.
  function arrangeRows(body, columns) {
    const rows = new Map([...body.rows].map((row) => [Number(row.dataset.column), row])), shown = new Set(columns);
    for (const [column, row] of rows) row.hidden = !shown.has(column);
    body.append(...columns.filter((column) => rows.has(column)).map((column) => rows.get(column)));
  }

  // A table in a folded part of the page is arranged when the user unfolds it.
  function makeTables() {
    let columns = null;
    const arrange = (within) => { for (const table of within.querySelectorAll("table:has(thead [data-column])")) if (!table.closest("details:not([open])")) arrangeTable(table, columns); };
    for (const folded of document.querySelectorAll(".chapter")) folded.addEventListener("toggle", () => { if (folded.open && columns) arrange(folded); });
    return (next) => {
      columns = next;
      arrange(document);
      for (const body of document.querySelectorAll("tbody:has(> tr[data-column])")) arrangeRows(body, columns);
    };
  }

  // The controls above the list; `onChange` gets the changed part of the state.
  function makeColumns(data, onChange) {
    const box = byId("find"), names = data.implementations, all = ORDERS.run(data);
    let state = { order: "", columns: "" }, shown = all;
    const boxes = all.map((column) => {
      const input = el("input", { type: "checkbox" });
      input.addEventListener("change", () => choose(boxes.flatMap(({ input: { checked } }, at) => (checked ? [at] : []))));
      return { input, label: el("label", {}, input, el("span", {}, ...visibleWords(data.words[column])), el("span", { class: "said", title: "Statements held" }, `${Math.floor(100 * data.scores[column])} %`)) };
    });
    byId("choice").replaceChildren(...boxes.map(({ label }) => label));

    const choose = (columns) => onChange({ columns: namesForAddress(data, new Set(columns)) });
    const found = () => { const word = box.value.trim().toLowerCase(); return word ? all.filter((column) => names[column].toLowerCase().includes(word)) : []; };

    // Mark the names that contain the text, and bring the first of them into view.
    function mark() {
      const columns = found(), marked = new Set(columns.map(String));
      for (const place of document.querySelectorAll("[data-column]")) place.classList.toggle("found", marked.has(place.dataset.column));
      boxes.forEach(({ label }, column) => { label.hidden = box.value.trim() !== "" && !columns.includes(column); });
      byId("only-found").hidden = !columns.length || columns.length === names.length;
      byId("only-found").textContent = `Show only ${columns.length === 1 ? plain(data.words[columns[0]]) : `these ${columns.length}`}`;
      byId("shown-columns").textContent = box.value.trim() && !columns.length ? "No name contains this." : shown.length < names.length ? `${shown.length} of ${names.length} shown` : "";
      return columns;
    }

    function bringIntoView() {
      const columns = mark();
      if (!columns.length) return;
      for (const head of document.querySelectorAll("#columns .found, thead .found")) {
        const pane = head.closest("#columns, .scroll");
        const { left, right } = head.getBoundingClientRect(), { left: start, right: end } = pane.getBoundingClientRect();
        if (left < start + 240 || right > end) pane.scrollLeft += left - (start + end) / 2;
        if (head.closest("#columns")) break;
      }
    }

    box.addEventListener("input", bringIntoView);
    box.addEventListener("keydown", (event) => { if (event.key === "Enter" && found().length) choose(found()); });
    byId("only-found").addEventListener("click", () => choose(found()));
    byId("uncheck").addEventListener("click", () => { for (const { input } of boxes) input.checked = false; });
    byId("all-columns").addEventListener("click", () => { box.value = ""; choose([]); });
    for (const button of document.querySelectorAll("#orders button")) {
      button.addEventListener("click", () => onChange({ order: button.dataset.order === data.ordered ? "" : button.dataset.order }));
    }
    byId("libraries").hidden = names.length < 3;

    function show(next) {
      state = next;
      shown = columnsOf(data, state);
      const chosen = new Set(shown);
      boxes.forEach(({ input }, column) => { input.checked = chosen.has(column); });
      for (const button of document.querySelectorAll("#orders button")) button.setAttribute("aria-pressed", button.dataset.order === orderOf(data, state.order));
      byId("all-columns").hidden = shown.length === names.length;
      mark();
      return shown;
    }
    return { show, mark };
  }
