  /*
   * One case: its question and requirement, the expected and actual answers, and how to repeat it.
   */
  const BINDINGS = {
    "required": "one answer is right, any other fails",
    "permitted-set": "the RFC allows several answers, any of them passes",
    "impl-defined": "the text is ambiguous, no answer fails",
    "literal-only": "the literal text gives an answer that its editor called a defect; it is named and does not fail",
    "unspecified": "the RFC defines no answer, only a crash or a hang fails",
  };

  const pill = (data, outcome) => el("span", { class: `pill o-${outcome}`, title: data.terms[outcome] }, outcome);

  // The paragraphs of the RFC: prose flows; anything else, such as grammar, is laid out as it is there.
  const quoteNodes = (paragraphs) => (paragraphs.length ? [el("blockquote", { class: "rfc" }, ...paragraphs.map(paragraphNode))] : []);

  function paragraphNode(text) {
    const lines = text.split("\n"), indent = Math.min(...lines.map((line) => line.search(/\S|$/)));
    const inner = lines.map((line) => line.slice(indent));
    const prose = inner.every((line) => /^\S/.test(line) && !/[^.:?!]  /.test(line));
    return prose ? el("p", {}, ...visibleWords(inner.join(" "))) : el("pre", { tabindex: "0" }, ...linesOf(inner.join("\n")));
  }

  // A sentence with code between backticks.
  const codeNodes = (text) => text.split("`").flatMap((part, at) => (at % 2 ? [el("code", {}, ...visible(part))] : visibleWords(part)));

  // Rulings with the reading that each chooses; their full texts open in place.
  const rulingNodes = (data, rulings) => rulings.map((one) => {
    const [reading, title, text] = data.details.rulings[one] || ["", "", ""];
    const head = [...visible(one), ...(reading ? [": ", ...codeNodes(reading)] : [])];
    if (!text) return el("div", {}, ...head);
    const [before, ...parts] = text.split(/\*\*(Text|Readings|Ruling|Why|Vectors)\*\*/);
    const paragraphs = before.trim() ? [el("p", {}, ...codeNodes(before))] : [];
    for (let at = 0; at < parts.length; at += 2) paragraphs.push(el("p", {}, el("b", {}, parts[at]), ...codeNodes(parts[at + 1].replace(/\s+/g, " "))));
    return el("details", { class: "ruling" }, el("summary", {}, ...head), el("div", {}, el("p", {}, el("b", {}, ...codeNodes(title))), ...paragraphs, el("p", {}, wordLink(one, "All cases that name it"))));
  });

  function copyButton(text, what) {
    const button = el("button", { type: "button", "aria-label": `Copy ${what}` }, "Copy");
    const tell = (word) => { button.textContent = word; byId("told").textContent = word; };
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text);
        tell("Copied");
      } catch {
        getSelection().selectAllChildren(button.previousElementSibling);
        tell("Selected");
      }
      setTimeout(() => { button.textContent = "Copy"; byId("told").textContent = ""; }, 1500);
    });
    return button;
  }

  const folded = (title, ...nodes) => el("details", {}, el("summary", {}, title), ...nodes);

  const commandLine = (command, what) => el("div", { class: "repro" }, el("code", {}, command), copyButton(command, what));

  // The text if there is no reply to show; the verdict quotes an invalid line.
  const NO_REPLY = {
    "timeout": "No reply came in time.",
    "crash": "No reply: the adapter’s process ended.",
    "garbage": "The output was not a valid reply; the verdict above says why.",
    "no-answer": "No reply to this question; the adapter went on without one.",
    "aborted": "No reply: the adapter was given up, and this question may never have been sent.",
  };

  // A message of the protocol with its label.
  const message = (words, text, what) => el("div", { class: "exchange" }, el("span", { class: "said" }, words),
    el("div", {}, el("code", {}, ...linesOf(text)), copyButton(text, what)));

  // The place of a statement; for a generated case, a whole section.
  function placeOf(spec, { section, paragraph }) {
    const where = `${spec}, section ${section}`;
    if (Array.isArray(paragraph)) return `${where}, paragraphs ${paragraph.join(" and ")}`;
    return paragraph ? `${where}, paragraph ${paragraph}` : where;
  }

  function answerNodes(data, each, expect, { answer, columns }) {
    const head = el("h5", {}, ...namesOf(data, columns, 12));
    if (!answer) {
      return el("div", { class: "answer o-none" }, head, said(each.tier === CORE ? "not asked" : "not kept: results have only the first failing generated cases"));
    }
    const [outcome, variant, judged, got, stderr, , raw] = answer;
    const wanted = alternatives(expect);
    const same = wanted.find((one) => (one.variant || "") === variant) || wanted[0];
    const block = el("div", { class: `answer o-${outcome}` }, head, pill(data, outcome));
    if (variant) block.append(" ", ...visible(variant));
    const shown = gotNodes(each, got, same);
    const detail = reasonOf(judged, shown, got);
    if (shown.length) block.append(el("div", { class: "got" }, ...shown));
    if (detail) block.append(el("p", { class: "why" }, ...longNodes(detail, ODD_IN_WORDS)));
    if (typeof got.message === "string" && got.message && !detail.includes(got.message)) {
      block.append(el("p", { class: "why" }, ...longNodes(got.message, ODD_IN_WORDS)));
    }
    if (stderr) block.append(el("details", { open: "" }, el("summary", {}, "Standard error"), el("pre", { tabindex: "0" }, ...linesOf(stderr))));
    const [corpus, options] = data.again;
    const commands = columns.map((column) => commandLine(`urlconform repro ${shellWord(each.id)} -a ${shellWord(data.implementations[column])}${each.tier === CORE ? corpus : ""}${options}`, `the command for ${data.words[column]}`));
    block.append(commands[0]);
    if (commands.length > 1) block.append(folded("The commands for the others", ...commands.slice(1)));
    const exchange = folded("Question and reply",
      message("Question, as a line of the protocol", questionLine(each), "the question"),
      ...(Object.keys(got).length ? [message("Reply, as it was read", replyText(got, raw), "the reply")] : [el("p", { class: "why" }, NO_REPLY[outcome] || "No reply is kept.")]),
      el("p", { class: "why" }, "The results do not keep the lines as they were sent: ", el("code", {}, "urlconform repro"), ", as above, shows them."));
    exchange.open = columns.length < 12 && !["pass", "variant", "unsupported"].includes(outcome);
    block.append(exchange);
    return block;
  }

  const atomLink = (name, value, ...nodes) => el("a", { href: queryLink([name, value]), title: `All cases of this ${name}` }, ...nodes);
  const wordLink = (word, shown) => el("a", { href: "#" + new URLSearchParams({ q: quotedValue(word) }), title: `Search for ${word}` }, shown);

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

  function factsOf(data, each, { requirement, ruling, comment }) {
    const facts = [
      ["Place", el("a", { href: queryLink(["spec", each.spec], ["section", each.section]), title: "All cases of this section" },
        ...visible(placeOf(data.specs[each.spec], requirement)))],
      ["Requirement", el("code", {}, atomLink("statement", requirement.id, ...visible(requirement.id)))],
      ["Level", atomLink("level", each.level, each.level)],
      ["Binding", atomLink("binding", each.binding, each.binding), BINDINGS[each.binding] ? `: ${BINDINGS[each.binding]}` : ""],
    ];
    const rulings = [...new Set([ruling, requirement.ruling].filter(Boolean))];
    if (rulings.length) facts.push([rulings.length > 1 ? "Rulings" : "Ruling", ...rulingNodes(data, rulings)]);
    const differs = data.details.differences.cases[each.number].length > 0; // `class:` selects only such cases
    if (each.cls) facts.push(["Class", differs ? atomLink("class", each.cls, ...visible(each.cls)) : el("span", {}, ...visible(each.cls))]);
    for (const flag of each.flags) {
      facts.push(["Flag", atomLink("flag", flag, ...visible(flag)), ...visibleWords(data.flags[flag] ? `: ${data.flags[flag]}` : "")]);
    }
    facts.push(...differenceFacts(data, each));
    if (each.witness) facts.push(["Origin", atomLink("origin", "mutant", "witness"), ": made by a program"]);
    if (isDerived(each.id)) facts.push(["Origin", atomLink("origin", "derived", "derived"), ": follows from a vector of another RFC"]);
    if (isTwin(each.id)) facts.push(["Origin", atomLink("origin", "twin", "twin"), ": the text of a smaller rule in a whole URL"]);
    if (each.tier !== CORE) facts.push(["Tier", atomLink("tier", each.tier, ...visible(each.tier)), ", generated"]);
    if (comment) facts.push(["Comment", ...visibleWords(comment)]);
    return facts;
  }

  function caseNodes(data, each, chosen) {
    const more = detailsOf(data, each), { expect } = more;
    const wanted = alternatives(expect);
    const expected = wanted.map((one, number) => el("div", { class: "expect" },
      ...expectedNodes(each, one),
      ...(wanted.length > 1 ? [" ", said(one.variant ? `variant ${one.variant}` : number ? "allowed" : "recommended")] : [])));
    const groups = answerGroups(data, each);
    const table = comparison(data, each, expect, groups);
    const many = data.implementations.length > FEW;
    return [
      el("h4", {}, "Input"), inputsOf(each, expect),
      ...(many ? [el("h4", {}, "Who answers what"), glanceTable(data, each, expect, chosen)] : []),
      el("h4", {}, "Requirement"), el("p", { class: "statement" }, ...visibleWords(more.requirement.statement)), ...quoteNodes(more.paragraphs), pairs("pairs", factsOf(data, each, more)),
      ...(wanted.length === 1 && partsOf(wanted[0]) !== undefined ? [] : [el("h4", {}, "Expected"), ...expected]),
      ...(table ? [el("h4", {}, each.op === "decode" ? "Decoded view" : "Components"), table] : []),
      el("h4", {}, many ? "Each answer" : "Answers"), ...groups.map((group) => answerNodes(data, each, expect, group)),
    ];
  }

  // The pane of the open case: its head with the buttons, and its contents.
  function makeDetail(data, { onStep, onClose, onShow }) {
    const detail = byId("detail");
    const reveal = (...nodes) => {
      detail.replaceChildren(...nodes);
      detail.setAttribute("aria-labelledby", "case-head");
      detail.hidden = false;
      byId("workspace").classList.add("open");
    };

    function show(each, hasPrevious, hasNext, listed, chosen) {
      const step = (label, title, by, enabled) => {
        const button = el("button", { type: "button", title }, label);
        button.disabled = !enabled;
        button.addEventListener("click", () => onStep(by));
        return button;
      };
      reveal(
        el("header", {},
          el("div", {},
            el("h3", { class: "id", id: "case-head" }, el("a", { href: "#" + new URLSearchParams({ case: each.id }), title: "Link to this case" }, ...visible(each.id))),
            el("p", { class: "question" }, ...visibleWords(questionInWords(each)))),
          el("div", { class: "tools" },
            step("Previous", "Previous case", -1, hasPrevious), step("Next", "Next case", 1, hasNext),
            el("button", { type: "button", title: "Close this case (Escape)", onclick: onClose }, "Close"))),
        ...(listed ? [] : [el("p", { class: "note", id: "unlisted" }, "The query does not show this case; Previous and Next lead to those that it shows. ",
          el("button", { type: "button", class: "inline", onclick: () => onShow(each) }, "Show it among all cases"))]),
        ...(data.details ? caseNodes(data, each, chosen) : [el("p", { class: "note" }, "Reading the details.")]));
    }

    const unknown = (id) => reveal(
      el("header", {}, el("p", { class: "warning", id: "case-head" }, "This report has no case ", ...visible(cut(id, 200)), "."),
        el("div", { class: "tools" }, el("button", { type: "button", onclick: onClose }, "Close"))));

    function close() {
      detail.hidden = true;
      detail.replaceChildren();
      byId("workspace").classList.remove("open");
    }
    return { show, unknown, close, element: detail };
  }
