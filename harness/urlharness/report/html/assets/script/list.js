  /*
   * The list: elements for the visible rows only, kept by position and reused.
   */
  const HEIGHT = { roomy: 48, compact: 26 }; // of a row without answers
  const LINE = 19;                            // of an answer in a row, as in the style sheet
  const BEYOND = 4;                           // rows above and below the visible ones

  function makeList(data, onOpen) {
    const list = byId("list"), rows = byId("rows");
    const live = new Map(); // position in the list -> row
    const spare = [];
    let found = [], positions = new Map(), selected = -1, waiting = false;
    let height = HEIGHT.roomy, isCompact = false, lines = 0, order = [...data.implementations.keys()];

    function place(row, position) {
      const { element } = row;
      const each = data.cases[found[position]];
      element.id = "row-" + position;
      element.style.transform = `translateY(${position * height}px)`;
      element.setAttribute("aria-posinset", position + 1);
      element.setAttribute("aria-setsize", found.length);
      element.setAttribute("aria-selected", each.number === selected);
      element.hidden = false;
      fillRow(data, row, each, order);
    }

    function paint() {
      waiting = false;
      const first = Math.max(0, Math.floor(list.scrollTop / height) - BEYOND);
      const last = Math.min(found.length, Math.ceil((list.scrollTop + list.clientHeight) / height) + BEYOND);
      for (const [position, row] of live) {
        if (position < first || position >= last) {
          live.delete(position);
          spare.push(row);
        }
      }
      for (let position = first; position < last; position++) {
        if (live.has(position)) continue;
        const row = spare.pop() || makeRow(data);
        if (!row.element.parentNode) rows.append(row.element);
        place(row, position);
        live.set(position, row);
      }
      for (const { element } of spare) element.hidden = true;
    }

    function later() {
      if (!waiting) requestAnimationFrame(paint);
      waiting = true;
    }

    // Draw all rows: after a change of the cases, the height of rows, or the order of columns.
    function renew() {
      rows.style.height = `${found.length * height}px`;
      spare.push(...live.values());
      live.clear();
      const kept = positions.has(selected);
      if (!kept) list.scrollTop = 0;
      paint();
      choose(selected, kept);
    }

    function resize() {
      height = (isCompact ? HEIGHT.compact : HEIGHT.roomy) + lines * LINE;
      list.style.setProperty("--row", `${height}px`);
      renew();
    }

    function show(numbers) {
      found = numbers;
      positions = new Map(found.map((number, position) => [number, position]));
      renew();
    }

    function choose(number, reveal) {
      selected = number;
      const position = positions.has(number) ? positions.get(number) : -1;
      if (reveal && position >= 0) {
        const top = position * height;
        if (top < list.scrollTop || top + height > list.scrollTop + list.clientHeight) {
          list.scrollTop = Math.max(0, top - list.clientHeight / 2);
        }
      }
      paint();
      for (const [at, { element }] of live) element.setAttribute("aria-selected", found[at] === selected);
      if (live.has(position)) list.setAttribute("aria-activedescendant", "row-" + position);
      else list.removeAttribute("aria-activedescendant");
    }

    // The previous or next case; if the case is not listed, the nearest in the order of the RFCs.
    function neighbour(number, step) {
      if (positions.has(number)) return found[positions.get(number) + step];
      const after = found.findIndex((other) => other > number);
      return found[(after < 0 ? found.length : after) + (step > 0 ? 0 : -1)];
    }

    const positionOf = (target) => [...live].find(([, { element }]) => element.contains(target))?.[0];
    titleCells(data, list, (cell) => found[positionOf(cell)], () => order);
    list.addEventListener("scroll", later, { passive: true });
    new ResizeObserver(later).observe(list);
    rows.addEventListener("click", ({ target }) => {
      const position = positionOf(target), cell = target.closest(".cell");
      const column = cell ? order[[...cell.parentNode.children].indexOf(cell)] : -1;
      if (position !== undefined) onOpen(found[position], false, column);
    });
    // A shadow shows that there are more cells beyond the right edge; less than a column of room is none.
    function markBeyond() {
      byId("pane").classList.toggle("beyond", list.scrollLeft + list.clientWidth < list.scrollWidth - CELL);
    }
    list.addEventListener("scroll", markBeyond, { passive: true });
    new ResizeObserver(markBeyond).observe(rows);
    new ResizeObserver(markBeyond).observe(list);
    // The heads follow the cells sideways, and the cells the heads if one of these takes the focus.
    const heads = byId("columns");
    for (const [one, other] of [[list, heads], [heads, list]]) {
      one.addEventListener("scroll", () => { if (other.scrollLeft !== one.scrollLeft) other.scrollLeft = one.scrollLeft; }, { passive: true });
    }
    function press(event) {
      const page = Math.max(1, Math.floor(list.clientHeight / height) - 1);
      const here = positions.has(selected) ? positions.get(selected) : -1;
      const next = { ArrowDown: here + 1, ArrowUp: here - 1, PageDown: here + page, PageUp: here - page, Home: 0, End: found.length - 1 }[event.key];
      if (event.ctrlKey || event.metaKey || event.altKey || !found.length) return;
      if (next !== undefined) {
        event.preventDefault();
        onOpen(found[Math.min(found.length - 1, Math.max(0, next))], false);
      } else if (event.key === "Enter") {
        onOpen(here < 0 ? found[0] : selected, true);
      }
    }

    // Handle a key that was pressed elsewhere: the arrow goes to the next case, as in the list.
    function enter(event) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing || !found.length) return;
      event.preventDefault();
      list.focus();
      if (event.key === "ArrowDown") press(event);
    }

    // Is the list visible, and not above the part that is read?
    function inSight() {
      const { top, bottom } = list.getBoundingClientRect();
      return top + height <= innerHeight && (top >= 0 || bottom >= innerHeight);
    }

    list.addEventListener("keydown", press);
    return {
      show, choose, enter, inSight,
      neighbour,
      has: (number) => positions.has(number),
      focus: () => list.focus(),
      compact: (wanted) => { isCompact = wanted; resize(); },
      // `count` lines of answers in each row; the details may have been loaded, too
      answers: (count) => { lines = count; resize(); },
      reorder: (columns) => { order = columns; renew(); },
    };
  }
