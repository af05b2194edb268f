  /*
   * Elements and texts.  Every text of a run may be hostile: it reaches the page only through text nodes,
   * and the policy of the page (trusted types) forbids any other way.
   */
  const SHOWN_AT_ONCE = 4000; // characters of a text that a case shows at first

  const byId = (id) => document.getElementById(id);
  const codePoint = (char) => "U+" + char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");

  // Characters that are invisible or change another one (marks, the blank of Braille); in an input
  // blanks at the ends and beside another blank as well.
  const SHAPELESS = /[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;
  const ODD_IN_WORDS = new RegExp(`(?! )${SHAPELESS.source}`, "gu");
  const ODD_IN_LINES = new RegExp(`(?![ \\n])${SHAPELESS.source}`, "gu");
  const ODD = new RegExp(`${ODD_IN_WORDS.source}|^ | $| (?= )|(?<= ) |[^\\x00-\\x7f]`, "gu");

  // Invisible characters as code points, except line ends.
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
        // another form of a letter, such as a full-width one, looks like it, and in many fonts like nothing
        const code = char.normalize("NFKC") === char ? null : codePoint(char);
        nodes.push(el("span", { class: "foreign", title: codePoint(char), "data-code": code }, char));
      }
      done = found.index + char.length;
    }
    if (done < text.length) nodes.push(text.slice(done));
    return nodes;
  }

  // The same for names, words and messages, in which only invisible characters are odd.
  const visibleWords = (text) => visible(text, ODD_IN_WORDS);

  const said = (words) => el("span", { class: "said" }, `(${words})`);

  // Cut without splitting a surrogate pair.
  function cut(text, length) {
    if (text.length <= length) return text;
    return text.slice(0, /[\ud800-\udbff]/.test(text[length - 1]) ? length - 1 : length);
  }

  // A text; a very long one in parts, each shown on request.  `marked` is [start, end) in UTF-16 units.
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

  // A text of several lines: line ends are kept, all other odd characters are made visible.
  const linesOf = (text) => longNodes(text, ODD_IN_LINES);

  const isObject = (value) => value !== null && typeof value === "object";
  const isHex = (value) => isObject(value) && typeof value.hex === "string";

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

  // The part of two texts that differs, between their common beginning and end.
  function difference(text, other) {
    if (typeof text !== "string" || typeof other !== "string" || text === other) return null;
    const limit = Math.min(text.length, other.length);
    let start = 0;
    while (start < limit && text[start] === other[start]) start++;
    let end = 0;
    while (end < limit - start && text[text.length - 1 - end] === other[other.length - 1 - end]) end++;
    return [start, text.length - end];
  }
