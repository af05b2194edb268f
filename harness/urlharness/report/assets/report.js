"use strict";
/*
 * The cases: read from the data block, filtered, listed and shown one by one.
 *
 * Every text of a run is hostile.  It reaches the page through text nodes and nowhere else; the page's
 * policy (trusted types) refuses any other way.
 */
(() => {
  const ROW = 48;            // height of a row in the list, as in the style sheet
  const SHOWN_IN_ROW = 160;  // characters of an input that a row shows
  const SHOWN_AT_ONCE = 4000; // characters of a text that a case shows before it is asked for more

  const BINDINGS = {
    "required": "one answer is right, any other fails",
    "permitted-set": "the RFC allows several answers, any of them passes",
    "impl-defined": "the text is ambiguous, no answer fails",
    "literal-only": "the literal text gives an answer that its editor called a defect; it is named and does not fail",
    "unspecified": "the RFC defines no answer, only a crash or a hang fails",
  };
  const SIGNS = {
    "pass": "✓", "variant": "v", "partial": "p", "fail": "✗", "unsupported": "–", "error": "E", "timeout": "T",
    "crash": "C", "garbage": "G", "no-answer": "N", "aborted": "A", "none": "·",
  };
  const LEVELS = ["grammar", "algorithm", "must", "should", "may", "example", "note"];
  const INPUTS = ["url", "base", "reference", "components", "text", "other", "header",
    "embedded", "encapsulating", "retrieval", "default"];
  const EMPTY_STATE = { spec: "", section: "", outcome: "failing", impl: "", level: "", q: "", case: "" };

  const narrow = () => matchMedia("(max-width: 980px)").matches; // as in the style sheet
  const byId = (id) => document.getElementById(id);

  /* --- making elements ------------------------------------------------------------------------- */

  const codePoint = (char) => "U+" + char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");

  // The way of every text into the page: what has no shape is written as its code point, line ends apart.
  const plain = (text) => String(text).replace(ODD_IN_WORDS, (char) => (char === "\n" ? char : `⟨${codePoint(char)}⟩`));

  function el(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name === "class") element.className = value;
      else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (value !== null && value !== undefined) element.setAttribute(name, plain(value));
    }
    for (const child of children) {
      if (child instanceof Node) element.append(child);
      else if (child !== null && child !== undefined && child !== "") element.append(plain(child));
    }
    return element;
  }

  // Characters without a shape of their own; in an input a blank counts at the ends and beside another blank.
  const ODD_IN_WORDS = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
  const ODD = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}|^ | $| (?= )|(?<= ) |[^\x00-\x7f]/gu;
  const SHAPELESS = /[\p{C}\p{Z}]/u;
  const COMBINING = /\p{M}/u;

  // A text with every odd character made visible, as nodes.
  function visible(text, odd = ODD) {
    const nodes = [];
    let done = 0;
    for (const found of text.matchAll(odd)) {
      if (found.index > done) nodes.push(text.slice(done, found.index));
      const char = found[0];
      if (SHAPELESS.test(char)) {
        nodes.push(el("span", { class: "odd" }, codePoint(char)));
      } else {
        const shown = COMBINING.test(char) ? "◌" + char : char;
        nodes.push(el("span", { class: "foreign", title: codePoint(char) }, shown));
      }
      done = found.index + char.length;
    }
    if (done < text.length) nodes.push(text.slice(done));
    return nodes;
  }

  const said = (words) => el("span", { class: "said" }, `(${words})`);

  // The same for names, words and messages, where only the shapeless is odd.
  const visibleWords = (text) => visible(text, ODD_IN_WORDS);

  // Cut without parting a surrogate pair.
  function cut(text, length) {
    if (text.length <= length) return text;
    return text.slice(0, /[\ud800-\udbff]/.test(text[length - 1]) ? length - 1 : length);
  }

  // A text in full; a very long one in parts, each when it is asked for.  `marked` is [start, end) in UTF-16 units.
  function textNodes(text, marked) {
    if (text === "") return [said("empty string")];
    if (marked && marked[0] < SHOWN_AT_ONCE) {
      const end = Math.min(marked[1], SHOWN_AT_ONCE);
      return [
        ...visible(text.slice(0, marked[0])),
        ...(end > marked[0] ? [el("mark", {}, ...visible(text.slice(marked[0], end)))] : []),
        ...longNodes(text.slice(end)),
      ];
    }
    return longNodes(text);
  }

  function longNodes(text, odd = ODD) {
    const first = cut(text, SHOWN_AT_ONCE);
    const rest = text.slice(first.length);
    if (!rest) return visible(text, odd);
    const more = el("button", { type: "button", class: "inline" }, `${rest.length.toLocaleString("en")} more characters`);
    more.addEventListener("click", () => more.replaceWith(...longNodes(rest, odd)));
    return [...visible(first, odd), " ", more];
  }

  const isGiven = (value) => value !== undefined && value !== null; // a layer without a base may be null

  const isHex = (value) => value !== null && typeof value === "object" && typeof value.hex === "string";

  // A value of an input, a component or a result: absent, empty and hidden are words.
  function valueNodes(value, marked) {
    if (value === undefined) return [said("not exposed")];
    if (value === null) return [said("absent")];
    if (isHex(value)) return [said("octets"), " ", el("span", { class: "text" }, ...textNodes(value.hex))];
    if (typeof value === "string") return [el("span", { class: "text" }, ...textNodes(value, marked))];
    if (typeof value === "boolean") return [String(value)];
    if (Array.isArray(value) && !value.length) return [said("empty list")];
    if (Array.isArray(value) && value.every((pair) => Array.isArray(pair) && pair.length === 2)) {
      return value.map(([name, text]) => el("div", {}, ...valueNodes(name), " = ", ...valueNodes(text)));
    }
    if (Array.isArray(value) && value.every((item) => typeof item === "string" || isHex(item))) {
      return ["[", ...value.flatMap((item, at) => [at ? ", " : "", ...valueNodes(item)]), "]"];
    }
    return [el("span", { class: "text" }, ...textNodes(JSON.stringify(value)))];
  }

  const pill = (outcome) => el("span", { class: `pill o-${outcome}` }, outcome);

  // Where two texts differ: the part between what they share at both ends.
  function difference(text, other) {
    if (typeof text !== "string" || typeof other !== "string" || text === other) return null;
    const limit = Math.min(text.length, other.length);
    let start = 0;
    while (start < limit && text[start] === other[start]) start++;
    let end = 0;
    while (end < limit - start && text[text.length - 1 - end] === other[other.length - 1 - end]) end++;
    return [start, text.length - end];
  }

  // An argument as a shell reads it back.
  function shellWord(text) {
    if (/^[A-Za-z0-9_.\/:@%+=,-]+$/.test(text)) return text;
    if (!/[\x00-\x1f\x7f-\u{10ffff}]/u.test(text)) return "'" + text.replaceAll("'", "'\\''") + "'";
    const octets = [...new TextEncoder().encode(text)].map((octet) => {
      const char = String.fromCharCode(octet);
      return /[A-Za-z0-9_.\/:@%+=, -]/.test(char) ? char : "\\x" + octet.toString(16).padStart(2, "0");
    });
    return "$'" + octets.join("") + "'";
  }

  /* --- data -------------------------------------------------------------------------------------- */

  async function readData() {
    const coded = atob(byId("data").textContent.trim());
    const octets = new Uint8Array(coded.length);
    for (let i = 0; i < coded.length; i++) octets[i] = coded.charCodeAt(i);
    const stream = new Blob([octets]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }

  // The data with what the filters ask for at hand.
  function openData(raw) {
    const failing = new Set(raw.failing);
    const cases = raw.cases.map(([section, requirement, vector, title], number) => ({
      number, vector, title,
      spec: raw.sections[section][0],
      section: raw.sections[section][1],
      requirement: raw.requirements[requirement],
      words: "",
    }));
    const numbers = new Map(cases.map((each) => [each.vector.id, each.number]));
    const answerOf = (column, number) => raw.answers[raw.columns[column][number]] || null;
    const outcomeOf = (column, number) => {
      const answer = raw.columns[column][number];
      return answer < 0 ? "none" : raw.answers[answer][0];
    };
    // Full text of a case, made when it is first searched.
    const wordsOf = (each) => {
      if (!each.words) {
        const { vector, requirement } = each;
        const parts = [vector.id, vector.op, vector.rule, vector.class, (vector.flags || []).join(" "), vector.ruling, vector.comment, vector.binding,
          vector.profile, each.title, requirement.id, requirement.statement];
        for (const name of INPUTS) {
          if (vector[name] !== undefined) parts.push(typeof vector[name] === "string" ? vector[name] : JSON.stringify(vector[name]));
        }
        parts.push(JSON.stringify(vector.expect));
        for (let column = 0; column < raw.columns.length; column++) {
          const answer = answerOf(column, each.number);
          if (answer) parts.push(answer[1], answer[2], answer[3].message || "", answer[4]);
        }
        each.words = parts.join("\n").toLowerCase();
      }
      return each.words;
    };
    return { ...raw, cases, numbers, failing, answerOf, outcomeOf, wordsOf };
  }

  /* --- filters --------------------------------------------------------------------------------- */

  function outcomeTest(data, outcome, columns) {
    const { outcomeOf, failing } = data;
    if (outcome === "all") return () => true;
    if (outcome === "failing") return (number) => columns.some((column) => failing.has(outcomeOf(column, number)));
    if (outcome === "differing") {
      const all = data.columns.map((_, column) => column);
      return (number) => {
        const asked = all.filter((column) => outcomeOf(column, number) !== "none");
        if (columns.length === 1) {
          const own = outcomeOf(columns[0], number);
          return own !== "none" && asked.some((column) => outcomeOf(column, number) !== own);
        }
        return asked.some((column) => outcomeOf(column, number) !== outcomeOf(asked[0], number));
      };
    }
    return (number) => columns.some((column) => outcomeOf(column, number) === outcome);
  }

  // The numbers of the cases that fit a state.
  function select(data, state) {
    const all = data.implementations.map((_, column) => column);
    const columns = state.impl ? all.filter((column) => data.implementations[column] === state.impl) : all;
    const fits = outcomeTest(data, state.outcome, columns);
    const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
    const found = [];
    for (const each of data.cases) {
      if (state.spec && each.spec !== state.spec) continue;
      if (state.section && each.section !== state.section) continue;
      if (state.level && each.vector.level !== state.level) continue;
      if (!fits(each.number)) continue;
      if (words.length) {
        const text = data.wordsOf(each);
        if (!words.every((word) => text.includes(word))) continue;
      }
      found.push(each.number);
    }
    return found;
  }

  /* --- the hash holds the state ------------------------------------------------------------------ */

  function readHash() {
    const state = { ...EMPTY_STATE };
    for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
      if (Object.hasOwn(EMPTY_STATE, name)) state[name] = value;
    }
    return state;
  }

  function hashOf(state) {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(state)) {
      if (value !== EMPTY_STATE[name]) parameters.set(name, value);
    }
    const text = parameters.toString();
    return text ? "#" + text : "#outcome=failing";
  }

  /* --- the list ---------------------------------------------------------------------------------- */

  // A list that keeps elements for the rows in sight only.
  function makeList(data, onOpen) {
    const list = byId("list"), rows = byId("rows");
    const live = new Map(); // position in the list -> element
    const spare = [];
    let found = [], selected = -1, waiting = false;

    function inputOf(value) {
      if (value === "") return [said("empty string")];
      if (isHex(value)) return [said("octets"), " " + cut(value.hex, SHOWN_IN_ROW)];
      return visible(cut(typeof value === "string" ? value : JSON.stringify(value), SHOWN_IN_ROW));
    }

    const between = (one, word, other) => [...inputOf(one), "  ", el("span", { class: "said" }, word), "  ", ...inputOf(other)];

    function questionNodes(vector) {
      if (vector.op === "resolve") return between(vector.reference, "on", vector.base);
      if (vector.op === "equivalent") return between(vector.url, "and", vector.other);
      const given = INPUTS.filter((name) => isGiven(vector[name]));
      if (vector.op !== "base") return inputOf(vector[given[0]]);
      if (!given.length) return [said("no layer has a base")];
      return given.flatMap((name, at) => [at ? "  " : "", el("span", { class: "said" }, name), " ", ...inputOf(vector[name])]);
    }

    function fill(element, position) {
      const each = data.cases[found[position]], { vector } = each;
      element.id = "row-" + position;
      element.style.transform = `translateY(${position * ROW}px)`;
      element.setAttribute("aria-posinset", position + 1);
      element.setAttribute("aria-setsize", found.length);
      element.setAttribute("aria-selected", each.number === selected);
      const where = [`${data.specs[each.spec]} § ${each.section}`, [vector.op, vector.rule].filter(Boolean).join(" "), vector.level, vector.id];
      const cells = data.implementations.map((name, column) => {
        const outcome = data.outcomeOf(column, each.number);
        return el("span", { class: "cell", title: `${name}: ${outcome}` },
          el("span", { class: "sr" }, `${name}: ${outcome}. `),
          el("span", { class: `pill o-${outcome}`, "aria-hidden": "true" },
            el("span", { class: "word" }, outcome === "none" ? "" : outcome), el("span", { class: "sign" }, SIGNS[outcome])));
      });
      element.replaceChildren(
        el("span", { class: "what" },
          el("span", { class: "input" }, ...questionNodes(vector)),
          el("span", { class: "where" }, ...where.flatMap((part, at) => [at ? " · " : "", ...visibleWords(part)]))),
        ...cells);
    }

    function paint() {
      waiting = false;
      const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 4);
      const last = Math.min(found.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + 4);
      for (const [position, element] of live) {
        if (position < first || position >= last) {
          live.delete(position);
          spare.push(element);
        }
      }
      for (let position = first; position < last; position++) {
        if (live.has(position)) continue;
        const element = spare.pop() || rows.appendChild(el("div", { class: "row", role: "option" }));
        fill(element, position);
        element.hidden = false;
        live.set(position, element);
      }
      for (const element of spare) element.hidden = true;
    }

    function later() {
      if (!waiting) requestAnimationFrame(paint);
      waiting = true;
    }

    function show(numbers) {
      found = numbers;
      rows.style.height = `${found.length * ROW}px`;
      spare.push(...live.values());
      live.clear();
      const position = found.indexOf(selected);
      if (position < 0) list.scrollTop = 0;
      paint();
      choose(selected, position >= 0);
    }

    function choose(number, reveal) {
      selected = number;
      const position = found.indexOf(number);
      if (reveal && position >= 0) {
        const top = position * ROW;
        if (top < list.scrollTop || top + ROW > list.scrollTop + list.clientHeight) {
          list.scrollTop = Math.max(0, top - list.clientHeight / 2);
        }
      }
      paint();
      for (const [at, element] of live) element.setAttribute("aria-selected", found[at] === selected);
      if (live.has(position)) list.setAttribute("aria-activedescendant", "row-" + position);
      else list.removeAttribute("aria-activedescendant");
    }

    list.addEventListener("scroll", later, { passive: true });
    new ResizeObserver(later).observe(list);
    rows.addEventListener("click", (event) => {
      for (const [position, element] of live) if (element.contains(event.target)) onOpen(found[position], false);
    });
    list.addEventListener("keydown", (event) => {
      const page = Math.max(1, Math.floor(list.clientHeight / ROW) - 1);
      const here = found.indexOf(selected);
      const next = { ArrowDown: here + 1, ArrowUp: here - 1, PageDown: here + page, PageUp: here - page, Home: 0, End: found.length - 1 }[event.key];
      if (event.ctrlKey || event.metaKey || event.altKey || !found.length) return;
      if (next !== undefined) {
        event.preventDefault();
        onOpen(found[Math.min(found.length - 1, Math.max(0, next))], false);
      } else if (event.key === "Enter" && here >= 0) {
        onOpen(selected, true);
      }
    });
    const neighbour = (number, step) => {
      const position = found.indexOf(number);
      return position < 0 ? undefined : found[position + step];
    };
    return { show, choose, neighbour, focus: () => list.focus() };
  }

  /* --- one case -------------------------------------------------------------------------------- */

  const paragraphOf = (paragraph) => (Array.isArray(paragraph) ? `paragraphs ${paragraph.join(" and ")}` : `paragraph ${paragraph}`);

  // Offset in code points to an index in UTF-16 units.
  function indexOf(text, offset) {
    let index = 0;
    while (offset-- > 0 && index < text.length) index += text.codePointAt(index) > 0xffff ? 2 : 1;
    return index;
  }

  function pairs(className, entries) {
    const list = el("dl", { class: className });
    for (const [name, ...nodes] of entries) list.append(el("dt", {}, name), el("dd", {}, ...nodes));
    return list;
  }

  // The only text of a question, with the first character that fits nothing marked.
  function markedInput(vector, name) {
    const at = alternatives(vector.expect).map((one) => one.at).find((one) => one !== undefined);
    const text = vector[name];
    if (MARKED[vector.op] !== name || at === undefined || typeof text !== "string") return null;
    const start = indexOf(text, at);
    if (start < text.length) return valueNodes(text, [start, indexOf(text, at + 1)]);
    const nodes = text ? valueNodes(text) : [said("empty string"), " "];
    nodes.push(el("mark", { class: "end" }, "end"));
    return nodes;
  }

  // The input to which an offset belongs.
  const MARKED = { validate: "url", parse: "url", normalize: "url", decode: "url", base: "header" };

  // A text that ends lines shows each on its own, its end and its blanks included.
  function inputOf(value) {
    if (typeof value !== "string" || value.length > SHOWN_AT_ONCE || !value.includes("\n")) return valueNodes(value);
    return value.split(/(?<=\n)/).flatMap((line, at) => [at ? el("br") : "", ...valueNodes(line)]);
  }

  function inputNodes(vector) {
    const entries = [];
    for (const name of INPUTS) {
      if (name === "components") {
        for (const [part, value] of Object.entries(vector.components || {})) entries.push([part, ...valueNodes(value)]);
      } else if (isGiven(vector[name])) {
        entries.push([name, ...(markedInput(vector, name) || inputOf(vector[name]))]);
      }
    }
    if (!entries.length) entries.push(["layers", said("none has a base")]);
    return pairs("inputs big", entries);
  }

  const alternatives = (expect) => (expect.any && expect.any.length ? expect.any : [expect]);

  // Components or the parts of a decoded view: what is compared one by one.
  const partsOf = ({ components, decoded }) => (components === undefined ? decoded : components);

  const orNode = () => el("span", { class: "said" }, " or ");

  // The URLs of a text in their order, each with its readings.
  function urlNodes(urls) {
    if (!Array.isArray(urls) || !urls.length) return [said("no URL")];
    return [el("ol", { class: "urls" }, ...urls.map((readings) => el("li", {},
      ...(Array.isArray(readings) && readings.length ? readings.flatMap((text, at) => [at ? orNode() : "", ...valueNodes(text)]) : [said("no reading")]))))];
  }

  const baseNodes = (base, marked) => (base === null ? [said("no base")] : valueNodes(base, marked));

  function expectedNodes(vector, expected) {
    if (expected.valid === true) return ["valid"];
    if (expected.valid === false) {
      const at = expected.at === undefined ? "" : ` from offset ${expected.at}`;
      const rules = (expected.rules || []).length ? `; open there: ${expected.rules.join(", ")}` : "";
      return [vector.op === "validate" ? "invalid" : "a refusal", at, rules];
    }
    if (expected.same_document) return ["the same document"];
    if (partsOf(expected) !== undefined) return ["the parts in the table"];
    if (expected.urls !== undefined) return urlNodes(expected.urls);
    if (expected.equal !== undefined) return [expected.equal ? "equivalent" : "different"];
    if (expected.base !== undefined) return baseNodes(expected.base);
    return valueNodes(expected.result);
  }

  function gotNodes(vector, got, expected) {
    const at = Number.isInteger(got.at) ? ` at offset ${got.at}` : "";
    if (got.status === "reject") return [`rejected${at}`];
    if (got.status === "unsupported") return ["not supported"];
    if (got.status !== "ok") return [];
    if (got.same_document) return ["the same document: ", ...valueNodes(got.url)];
    if (vector.op === "validate") return ["accepted"];
    if (got.components !== undefined) return vector.op === "parse" ? [] : valueNodes(got.components);
    if (got.decoded !== undefined) return vector.op === "decode" ? [] : valueNodes(got.decoded);
    if (got.urls !== undefined) return urlNodes(got.urls);
    if (got.equal !== undefined) return [got.equal ? "equivalent" : "different"];
    if (got.base !== undefined) return baseNodes(got.base, difference(got.base, expected.base));
    if (["extract", "equivalent", "decode", "base"].includes(vector.op)) return []; // the verdict says what is missing
    if (got.url === undefined) return [said("no url in the answer")];
    return valueNodes(got.url, difference(got.url, expected.result));
  }

  // Components side by side; what differs carries a sign as well as a colour.
  function comparison(data, each) {
    const { vector, number } = each;
    const wanted = alternatives(vector.expect).map((one) => ({ parts: partsOf(one), variant: one.variant }))
      .filter(({ parts }) => parts !== undefined);
    if (!wanted.length) return null;
    const got = data.implementations.map((name, column) => ({ name, answer: data.answerOf(column, number) }))
      .map(({ name, answer }) => ({ name, marks: answer && answer[5], parts: answer && partsOf(answer[3]) }))
      .filter(({ parts }) => parts !== null && typeof parts === "object");
    const names = new Set([...wanted, ...got].flatMap(({ parts }) => Object.keys(parts)));
    const head = el("tr", {}, el("th", { scope: "col" }, vector.op === "decode" ? "Part" : "Component"),
      ...wanted.map((one) => el("th", { scope: "col" }, one.variant ? `Expected, variant ${one.variant}` : "Expected")),
      ...got.map(({ name }) => el("th", { scope: "col" }, ...visible(name))));
    const body = [...names].map((name) => el("tr", {}, el("th", { scope: "row" }, ...visible(name)),
      ...wanted.map(({ parts }) => el("td", {}, ...(Object.hasOwn(parts, name) ? valueNodes(parts[name]) : [said("not judged")]))),
      ...got.map(({ marks, parts }) => {
        const wrong = marks && marks[1].includes(name);
        const value = Object.hasOwn(parts, name) ? parts[name] : undefined;
        const other = wanted[0].parts[name];
        return el("td", wrong ? { class: "wrong" } : {},
          ...(wrong ? [el("span", { class: "differs", "aria-hidden": "true" }, "≠"), el("span", { class: "sr" }, "differs: ")] : []),
          ...valueNodes(value, wrong ? difference(value, other) : null));
      })));
    return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": vector.op === "decode" ? "Decoded view" : "Components" },
      el("table", { class: "compare" }, el("thead", {}, head), el("tbody", {}, ...body)));
  }

  function copyButton(text) {
    const button = el("button", { type: "button" }, "Copy");
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(button.previousElementSibling);
        button.textContent = "Selected";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    return button;
  }

  function folded(title, text) {
    return el("details", {}, el("summary", {}, title), el("pre", { tabindex: "0" }, ...linesOf(text)));
  }

  // Text of several lines: line ends stay line ends, all else odd is made visible.
  const linesOf = (text) => text.split("\n").flatMap((line, number) => [...(number ? ["\n"] : []), ...longNodes(line, ODD_IN_WORDS)]);

  function question(each) {
    const sent = { type: "run", id: 1, op: each.vector.op, spec: each.spec };
    for (const name of ["rule", "profile", "mode", ...INPUTS]) if (each.vector[name] !== undefined) sent[name] = each.vector[name];
    return JSON.stringify(sent);
  }

  // What the verdict adds to the answer that stands above it.
  function reasonOf(detail, shown, got) {
    if (detail.startsWith("got ") && [got.url, got.equal, got.base].some((value) => value !== undefined)) return "";
    const word = typeof shown[0] === "string" ? shown[0].split(" ")[0] : "";
    if (word !== "accepted" && word !== "rejected") return detail;
    if (detail === word) return "";
    return detail.startsWith(word + ": ") || detail.startsWith(word + ", ") ? detail.slice(word.length + 2) : detail;
  }

  function answerNodes(data, each, column) {
    const name = data.implementations[column];
    const answer = data.answerOf(column, each.number);
    if (!answer) {
      return el("div", { class: "answer o-none" }, el("h5", {}, ...visible(name)), said("not asked"));
    }
    const [outcome, variant, judged, got, stderr] = answer;
    const wanted = alternatives(each.vector.expect);
    const same = wanted.find((one) => (one.variant || "") === variant) || wanted[0];
    const block = el("div", { class: `answer o-${outcome}` }, el("h5", {}, ...visible(name)), pill(outcome));
    if (variant) block.append(" ", ...visible(variant));
    const shown = gotNodes(each.vector, got, same);
    const detail = reasonOf(judged, shown, got);
    if (shown.length) block.append(el("div", { class: "got" }, ...shown));
    if (detail) block.append(el("p", { class: "why" }, ...longNodes(detail, ODD_IN_WORDS)));
    if (typeof got.message === "string" && got.message && !detail.includes(got.message)) {
      block.append(el("p", { class: "why" }, ...longNodes(got.message, ODD_IN_WORDS)));
    }
    if (stderr) block.append(el("details", { open: "" }, el("summary", {}, "Standard error"), el("pre", { tabindex: "0" }, ...linesOf(stderr))));
    const command = `urlconform repro ${shellWord(each.vector.id)} -a ${shellWord(name)}`;
    block.append(el("div", { class: "repro" }, el("code", {}, command), copyButton(command)));
    if (Object.keys(got).length) block.append(folded("Reply as it came", JSON.stringify(got, null, 1)));
    return block;
  }

  function caseNodes(data, each) {
    const { vector, requirement } = each;
    const place = `${data.specs[each.spec]}, section ${requirement.section}, ${paragraphOf(requirement.paragraph)}`;
    const facts = [
      ["Place", ...visible(place)],
      ["Requirement", el("code", {}, ...visible(requirement.id))],
      ["Level", vector.level],
      ["Binding", BINDINGS[vector.binding] ? `${vector.binding}: ${BINDINGS[vector.binding]}` : vector.binding],
    ];
    const ruling = [...new Set([vector.ruling, requirement.ruling].filter(Boolean))].join(", ");
    if (ruling) facts.push(["Ruling", ...visible(ruling)]);
    if (vector.class) facts.push(["Class", ...visible(vector.class)]);
    for (const flag of vector.flags || []) facts.push(["Flag", ...visibleWords(data.flags[flag] ? `${flag}: ${data.flags[flag]}` : flag)]);
    if (vector.comment) facts.push(["Comment", ...visibleWords(vector.comment)]);
    const wanted = alternatives(vector.expect);
    const expected = wanted.map((one, number) => el("div", { class: "expect" },
      ...expectedNodes(vector, one),
      ...(wanted.length > 1 ? [" ", said(one.variant ? `variant ${one.variant}` : number ? "allowed" : "recommended")] : [])));
    const table = comparison(data, each);
    return [
      el("h4", {}, "Input"), inputNodes(vector),
      el("h4", {}, "Requirement"), el("p", { class: "statement" }, ...visibleWords(requirement.statement)), pairs("pairs", facts),
      ...(wanted.length === 1 && partsOf(wanted[0]) !== undefined ? [] : [el("h4", {}, "Expected"), ...expected]),
      ...(table ? [el("h4", {}, vector.op === "decode" ? "Decoded view" : "Components"), table] : []),
      el("h4", {}, "Answers"), ...data.implementations.map((_, column) => answerNodes(data, each, column)),
      folded("Question as it is sent", question(each)),
    ];
  }

  const questionOf = ({ op, rule, profile, mode }) =>
    [op, rule && `rule ${rule}`, profile && `profile ${profile}`, mode && `mode ${mode}`].filter(Boolean).join(" · ");

  // The pane of the open case: its head with the ways on, and what there is to say.
  function makeDetail(data, { onStep, onClose }) {
    const detail = byId("detail");

    function show(each, hasPrevious, hasNext, listed) {
      const step = (label, title, by, enabled) => {
        const button = el("button", { type: "button", title }, label);
        button.disabled = !enabled;
        button.addEventListener("click", () => onStep(by));
        return button;
      };
      const link = new URLSearchParams({ case: each.vector.id });
      detail.replaceChildren(
        el("header", {},
          el("div", {},
            el("h3", { class: "id" }, el("a", { href: "#" + link, title: "Link to this case" }, ...visible(each.vector.id))),
            el("p", { class: "question" }, ...visibleWords(questionOf(each.vector)))),
          el("div", { class: "tools" },
            step("Previous", "Previous case", -1, hasPrevious), step("Next", "Next case", 1, hasNext),
            el("button", { type: "button", onclick: onClose }, "Close"))),
        ...(listed ? [] : [el("p", { class: "note" }, "This case is not among those that the filters show.")]),
        ...caseNodes(data, each));
      detail.hidden = false;
      byId("workspace").classList.add("open");
    }

    function unknown(id) {
      detail.replaceChildren(el("p", { class: "warning" }, "This report has no case ", ...visible(cut(id, 200)), "."));
      detail.hidden = false;
      byId("workspace").classList.add("open");
    }

    function close() {
      detail.hidden = true;
      detail.replaceChildren();
      byId("workspace").classList.remove("open");
    }
    return { show, unknown, close, element: detail };
  }

  /* --- the page -------------------------------------------------------------------------------- */

  function options(select, entries, value) {
    select.replaceChildren(...entries.map(([key, label]) => {
      const option = el("option", {}, label);
      option.value = key; // as it is, for the filters
      option.selected = key === value;
      return option;
    }));
  }

  function outcomeOptions(data) {
    const counts = new Map();
    data.columns.forEach((column) => column.forEach((answer) => {
      if (answer >= 0) counts.set(data.answers[answer][0], (counts.get(data.answers[answer][0]) || 0) + 1);
    }));
    return [["failing", "Failing somewhere"], ["differing", "Outcomes differ"], ["all", "All cases"],
      ...Object.keys(data.kinds).filter((outcome) => counts.has(outcome))
        .map((outcome) => [outcome, `${outcome} (${counts.get(outcome).toLocaleString("en")})`])];
  }

  function start(data) {
    const fields = { q: byId("f-q"), outcome: byId("f-outcome"), impl: byId("f-impl"), spec: byId("f-spec"), section: byId("f-section"), level: byId("f-level") };
    const specs = [...new Set(data.sections.map(([spec]) => spec))];
    const levels = new Set(data.cases.map(({ vector }) => vector.level));
    const outcomes = outcomeOptions(data);
    let state = { ...EMPTY_STATE }, found = [];

    const list = makeList(data, open);
    const detail = makeDetail(data, { onStep: (step) => open(list.neighbour(data.numbers.get(state.case), step), true), onClose: close });

    byId("columns").append(...data.implementations.map((name) => el("span", { title: name }, ...visible(name))));
    if (data.implementations.length > 6) byId("pane").classList.add("many");
    byId("app").hidden = false;

    // A hash may say anything; what this report does not have is as good as nothing.
    function sane(wanted) {
      const known = (value, values) => (values.includes(value) ? value : "");
      const clean = { ...wanted };
      clean.spec = known(clean.spec, specs);
      const sections = data.sections.filter(([spec]) => spec === clean.spec).map(([, section]) => section);
      clean.section = known(clean.section, sections);
      clean.impl = known(clean.impl, data.implementations);
      clean.level = known(clean.level, LEVELS);
      clean.outcome = known(clean.outcome, [...outcomes.map(([key]) => key), ...Object.keys(data.kinds)]) || EMPTY_STATE.outcome;
      return clean;
    }

    function fillFields() {
      options(fields.outcome, outcomes, state.outcome);
      options(fields.impl, [["", "Any"], ...data.implementations.map((name) => [name, name])], state.impl);
      options(fields.spec, [["", "All"], ...specs.map((spec) => [spec, data.specs[spec]])], state.spec);
      const sections = data.sections.filter(([spec]) => spec === state.spec).map(([, section, title]) => [section, `${section} ${title}`]);
      options(fields.section, state.spec ? [["", "All"], ...sections] : [["", "All"]], state.section);
      fields.section.disabled = !state.spec;
      options(fields.level, [["", "All"], ...LEVELS.filter((level) => levels.has(level)).map((level) => [level, level])], state.level);
      if (fields.q.value !== state.q) fields.q.value = state.q;
    }

    function refresh() {
      found = select(data, state);
      list.show(found);
      const plural = data.cases.length === 1 ? "case" : "cases";
      byId("count").textContent = `${found.length.toLocaleString("en")} of ${data.cases.length.toLocaleString("en")} ${plural}`;
      const asked = Object.keys(EMPTY_STATE).some((name) => name !== "case" && state[name] !== EMPTY_STATE[name]);
      byId("reset").hidden = !asked;
      const empty = byId("empty");
      empty.hidden = found.length > 0;
      byId("list").hidden = byId("columns").hidden = !found.length;
      empty.firstElementChild.textContent = asked ? "No case fits these filters." : "No case fails.";
    }

    function showCase() {
      if (!state.case) return detail.close();
      const number = data.numbers.get(state.case);
      if (number === undefined) return detail.unknown(state.case);
      const has = (step) => list.neighbour(number, step) !== undefined;
      detail.show(data.cases[number], has(-1), has(1), found.includes(number));
      list.choose(number, true);
    }

    const keepHash = () => history.replaceState(null, "", hashOf(state));

    function open(number, focus) {
      if (number === undefined) return;
      state.case = data.cases[number].vector.id;
      keepHash();
      showCase();
      const top = detail.element.getBoundingClientRect().top;
      if (focus || top < 0 || narrow()) {
        if (top < 0 || top > innerHeight / 2) byId("workspace").scrollIntoView();
        if (focus || narrow()) detail.element.focus({ preventScroll: true });
      }
    }

    function close() {
      state.case = "";
      keepHash();
      showCase();
      list.focus();
    }

    function change(changes) {
      state = sane({ ...state, ...changes });
      fillFields();
      refresh();
      keepHash();
      if (state.case) showCase();
    }

    for (const [name, field] of Object.entries(fields)) {
      const apply = () => change(name === "spec" ? { spec: field.value, section: "" } : { [name]: field.value });
      field.addEventListener(name === "q" ? "input" : "change", apply);
    }
    byId("filters").addEventListener("submit", (event) => event.preventDefault());
    byId("reset").addEventListener("click", () => { change({ ...EMPTY_STATE, case: state.case }); fields.q.focus(); });
    byId("empty").lastElementChild.addEventListener("click", () => change({ ...EMPTY_STATE, outcome: "all", case: state.case }));
    document.addEventListener("keydown", (event) => {
      const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
      if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        fields.q.focus();
        fields.q.select();
      } else if (event.key === "Escape" && !typing && state.case) {
        close();
      }
    });

    // An address with a state in it leads to the cases, where one fills the window to the case.
    const arrive = () => (state.case && narrow() ? byId("workspace") : byId("cases")).scrollIntoView();

    function follow() {
      if (!location.hash.includes("=")) {
        const target = document.getElementById(location.hash.slice(1)); // a part of the report, not a state
        if (target instanceof HTMLDetailsElement) target.open = true;
        return false;
      }
      state = sane(readHash());
      fillFields();
      refresh();
      showCase();
      return true;
    }

    addEventListener("hashchange", () => { if (follow()) arrive(); });
    if (follow()) {
      arrive();
    } else {
      fillFields();
      refresh();
      if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView(); // the page has grown
    }
    document.documentElement.dataset.ready = "yes";
  }

  readData().then(openData).then(start).catch((error) => {
    const broken = byId("broken");
    broken.textContent = `The cases could not be shown: ${error}. A browser of 2023 or later is needed.`;
    broken.hidden = false;
  });
})();
