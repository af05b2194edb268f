  /*
   * A question: in a row, in a case view, and as a line of the protocol.
   */
  const SHOWN_IN_ROW = 160;  // characters of an input that a row shows
  const CONDITIONS = ["rule", "profile", "mode"];

  const textsOf = (inputs) => Object.entries(inputs).filter(([name]) => !CONDITIONS.includes(name));

  function inputInRow(value) {
    if (value === "") return [said("empty string")];
    if (isHex(value)) return [said("octets"), " " + cut(value.hex, SHOWN_IN_ROW)];
    return visible(cut(typeof value === "string" ? value : JSON.stringify(value), SHOWN_IN_ROW));
  }

  const between = (one, word, other) => [...inputInRow(one), "  ", el("span", { class: "said" }, word), "  ", ...inputInRow(other)];

  function questionInRow({ op, inputs }) {
    if (op === "resolve") return between(inputs.reference, "on", inputs.base);
    if (op === "equivalent") return between(inputs.url, "and", inputs.other);
    const given = textsOf(inputs);
    if (op !== "base") return given.length ? inputInRow(given[0][1]) : [said("nothing")];
    if (!given.length) return [said("no layer has a base")];
    return given.flatMap(([name, value], at) => [at ? "  " : "", el("span", { class: "said" }, name), " ", ...inputInRow(value)]);
  }

  const questionInWords = ({ op, inputs: { rule, profile, mode } }) =>
    [op, rule && `rule ${rule}`, profile && `profile ${profile}`, mode && `mode ${mode}`].filter(Boolean).join(" · ");

  const alternatives = (expect) => (expect.any && expect.any.length ? expect.any : [expect]);

  // Offset in code points to an index in UTF-16 units.
  function indexOf(text, offset) {
    let index = 0;
    while (offset-- > 0 && index < text.length) index += text.codePointAt(index) > 0xffff ? 2 : 1;
    return index;
  }

  // The input to which an offset belongs.
  const MARKED = { validate: "url", parse: "url", normalize: "url", decode: "url", base: "header" };

  // The only text of a question, with the first character that matches nothing marked.
  function markedInput({ op }, expect, name, text) {
    const at = alternatives(expect).map((one) => one.at).find((one) => one !== undefined);
    if (MARKED[op] !== name || at === undefined || typeof text !== "string") return null;
    const start = indexOf(text, at);
    if (start < text.length) return valueNodes(text, [start, indexOf(text, at + 1)]);
    const nodes = text ? valueNodes(text) : [said("empty string"), " "];
    nodes.push(el("mark", { class: "end" }, "end"));
    return nodes;
  }

  // A text of several lines is shown line by line, with line ends and blanks.
  function inputNodes(value) {
    if (typeof value !== "string" || value.length > SHOWN_AT_ONCE || !value.includes("\n")) return valueNodes(value);
    return value.split(/(?<=\n)/).flatMap((line, at) => [at ? el("br") : "", ...valueNodes(line)]);
  }

  function pairs(className, entries) {
    const list = el("dl", { class: className });
    for (const [name, ...nodes] of entries) list.append(el("dt", {}, name), el("dd", {}, ...nodes));
    return list;
  }

  function inputsOf(each, expect) {
    const entries = textsOf(each.inputs).flatMap(([name, value]) => (name === "components"
      ? Object.entries(value).map(([part, text]) => [part, ...valueNodes(text)])
      : [[name, ...(markedInput(each, expect, name, value) || inputNodes(value))]]));
    if (!entries.length) entries.push(["layers", said("none has a base")]);
    return pairs("inputs big", entries);
  }

  // A message as the harness writes it: one line of ASCII.
  const asciiLine = (message) => JSON.stringify(message)
    .replace(/[\x7f-\uffff]/g, (char) => "\\u" + char.charCodeAt(0).toString(16).padStart(4, "0"));

  const questionLine = ({ op, spec, inputs }) => asciiLine({ type: "run", id: 1, op, spec, ...inputs });

  // The reply as it was read, without its id; `raw` is its text if JavaScript cannot read its numbers.
  const replyText = (got, raw) => raw || JSON.stringify(got);

  // A word of a shell command.
  function shellWord(text) {
    if (/^[A-Za-z0-9_.\/:@%+=,-]+$/.test(text)) return text;
    if (!/[\x00-\x1f\x7f-\u{10ffff}]/u.test(text)) return "'" + text.replaceAll("'", "'\\''") + "'";
    const octets = [...new TextEncoder().encode(text)].map((octet) => {
      const char = String.fromCharCode(octet);
      return /[A-Za-z0-9_.\/:@%+=, -]/.test(char) ? char : "\\x" + octet.toString(16).padStart(2, "0");
    });
    return "$'" + octets.join("") + "'";
  }
