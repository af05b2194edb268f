/**
 * urlconform adapter for Node's global WHATWG `URL` (node 18 and later, no packages).
 *
 * It speaks version 1 of the wire protocol: one JSON object per line, questions on stdin, answers on stdout.
 * Every answer comes from `URL` alone. The adapter does not correct, guess or extract anything itself.
 */

/** The base, without a fragment, for parsing a relative reference, because `URL` has no relative form. */
const BASE = "http://a/b/c/d;p?q";

/** The beginning of a text that is not a relative reference under any RFC. */
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/u;

/**
 * The rules that a parser of whole URLs can check, by specification. The first rule is the default.
 * `form` says whether a text must parse without a base ("absolute"), only with a base ("relative"), or in
 * either way ("reference"). `fragment` says whether the text may have a fragment. If there is a `scheme`, the
 * text must have this scheme.
 */
const RULES = new Map(Object.entries({
  rfc1738: {
    url: { form: "absolute", fragment: false },
    genericurl: { form: "absolute", fragment: false },
    otherurl: { form: "absolute", fragment: false },
    ...schemeRules("http", "ftp", "news", "nntp", "telnet", "gopher", "wais", "mailto", "file", "prospero"),
  },
  rfc1808: {
    URL: { form: "reference", fragment: true },
    absoluteURL: { form: "absolute", fragment: false },
    relativeURL: { form: "relative", fragment: false },
  },
  rfc2396: {
    "URI-reference": { form: "reference", fragment: true },
    absoluteURI: { form: "absolute", fragment: false },
    relativeURI: { form: "relative", fragment: false },
  },
  rfc3986: {
    "URI-reference": { form: "reference", fragment: true },
    URI: { form: "absolute", fragment: true },
    "absolute-URI": { form: "absolute", fragment: false },
    "relative-ref": { form: "relative", fragment: true },
  },
}).map(([spec, rules]) => [spec, new Map(Object.entries(rules))]));
RULES.set("rfc2732", RULES.get("rfc2396"));

function schemeRules(...schemes) {
  return Object.fromEntries(
    schemes.map((scheme) => [`${scheme}url`, { form: "absolute", fragment: false, scheme }]),
  );
}

const SPLITS = {
  rfc1738: components1738,
  rfc1808: ({ protocol, pathname, search, hash }) => ({
    scheme: protocol.slice(0, -1),
    path: pathname,
    query: search.slice(1),
    fragment: hash.slice(1),
  }),
  rfc2396: genericComponents,
  rfc2732: genericComponents,
  rfc3986: genericComponents,
};

const OPERATIONS = new Map(Object.entries({ validate, parse, resolve }));

const HELLO = {
  type: "hello",
  protocol: 1,
  implementation: {
    name: "node-url",
    version: process.versions.node,
    language: "javascript",
    runtime: process.versions.ada
      ? `node ${process.versions.node}, ada ${process.versions.ada}`
      : `node ${process.versions.node}`,
  },
  ops: [...OPERATIONS.keys()],
  // It implements the URL Standard, so it claims no RFC, but it answers for all of them.
  specs: [],
  components: [
    "scheme", "userinfo", "user", "password", "host", "port",
    "path", "query", "fragment", "hpath", "search", "fpath",
  ],
  // It does not claim "absent-vs-empty", because every getter returns "" for absent and for empty components.
  features: ["validate-by-parse"],
  window: 64,
};

const ok = (fields) => ({ status: "ok", ...fields });
const reject = (message) => ({ status: "reject", message });
const unsupported = (message) => ({ status: "unsupported", message });

function answer(question) {
  const operation = OPERATIONS.get(question.op);
  if (operation === undefined) {
    return unsupported(
      question.op === "normalize"
        ? "URL has no normalization apart from parsing"
        : `URL has no operation ${question.op}`,
    );
  }
  if (!RULES.has(question.spec)) return unsupported(`unknown specification ${question.spec}`);
  return operation(question);
}

/**
 * Accepts a text in which `flawOf` finds no flaw, and says so if `URL` needs a base for it. The profile is
 * ignored: the parser has no profiles.
 */
function validate(question) {
  const rule = ruleOf(question);
  if (rule === undefined) return unsupportedRule(question);
  const text = textOf(question, "url");
  const flaw = flawOf(text, rule);
  if (flaw !== null) return reject(flaw);
  return parsed(text) === null ? ok({ message: "only with a base" }) : ok();
}

/** Returns components only if the text parses without a base. Otherwise, some would come from the base. */
function parse(question) {
  const rule = ruleOf(question);
  if (rule === undefined) return unsupportedRule(question);
  const text = textOf(question, "url");
  const flaw = flawOf(text, rule);
  if (flaw !== null) return reject(flaw);
  const url = parsed(text);
  if (url === null) return unsupported("URL has no components for a relative reference alone");
  return ok({ components: SPLITS[question.spec](url) });
}

function resolve(question) {
  const url = parsed(textOf(question, "reference"), textOf(question, "base"));
  return url === null ? reject("Invalid URL") : ok({ url: url.href });
}

function ruleOf({ spec, rule }) {
  const rules = RULES.get(spec);
  return rule === undefined ? rules.values().next().value : rules.get(rule);
}

function unsupportedRule({ spec, rule }) {
  return unsupported(`URL parses whole URLs only, so it cannot speak for rule ${rule} of ${spec}`);
}

/** Returns why the text does not match the rule, or null if `URL` finds no reason. */
function flawOf(text, rule) {
  const mayNeedBase = rule.form !== "absolute" && !SCHEME.test(text);
  const url = parsed(text, mayNeedBase ? BASE : undefined);
  if (url === null) return "Invalid URL";
  if (rule.form === "relative" && parsed(text) !== null) return "parses without a base, so it is not relative";
  // `hash` is "" also for an empty fragment. `href` keeps the "#" before a fragment, and escapes any other "#".
  if (!rule.fragment && url.href.includes("#")) return "has a fragment";
  if (rule.scheme !== undefined && url.protocol !== `${rule.scheme}:`) return `the scheme is not ${rule.scheme}`;
  return null;
}

function parsed(text, base) {
  try {
    return new URL(text, base);
  } catch (error) {
    if (error.code === "ERR_INVALID_URL") return null;
    throw error;
  }
}

/** The authority is left out, because `URL` exposes only its parts. `host` contains only host and port. */
function genericComponents({ protocol, username, password, hostname, port, pathname, search, hash }) {
  return {
    scheme: protocol.slice(0, -1),
    // Join them as `href` does: there is no colon before an empty password.
    userinfo: password === "" ? username : `${username}:${password}`,
    host: hostname,
    port,
    path: pathname,
    query: search.slice(1),
    fragment: hash.slice(1),
  };
}

/** RFC 1738, section 3: the parts of each scheme that `URL` exposes. ";type=" remains a part of the path. */
function components1738({ protocol, username, password, hostname, port, pathname, search }) {
  const scheme = protocol.slice(0, -1);
  switch (scheme) {
    case "http":
      return { scheme, host: hostname, port, hpath: withoutSlash(pathname), search: search.slice(1) };
    case "ftp":
      return { scheme, user: username, password, host: hostname, port, fpath: withoutSlash(pathname) };
    case "file":
      return { scheme, host: hostname, fpath: withoutSlash(pathname) };
    case "telnet":
      return { scheme, user: username, password, host: hostname, port };
    case "gopher":
    case "nntp":
    case "wais":
    case "prospero":
      return { scheme, host: hostname, port };
    default:
      return { scheme };
  }
}

/** RFC 1738, section 3.1: the slash before the url-path is not part of the url-path. */
function withoutSlash(pathname) {
  if (pathname === "") return null;
  return pathname.startsWith("/") ? pathname.slice(1) : pathname;
}

/** The library has no answer to the question. */
class Unsupported extends Error {}

/** Returns a text of a question. `URL` takes strings, so bytes that are not Unicode cannot be asked about. */
function textOf(question, field) {
  const text = question[field];
  if (typeof text === "string") return text;
  if (typeof text?.hex === "string") throw new Unsupported("URL takes text, not bytes");
  throw new TypeError(`the question has no text in "${field}"`);
}

/** A line is not a message of the protocol. It has no id, so it cannot be answered and the session ends. */
class ProtocolError extends Error {}

/** Returns the answer to one line as a line, "" if the line is blank, or null after bye. */
function replyTo(line) {
  if (line.trim() === "") return "";
  let message;
  try {
    message = JSON.parse(line);
  } catch (error) {
    throw new ProtocolError(`not JSON: ${error.message}`);
  }
  switch (message?.type) {
    case "hello":
      return `${JSON.stringify(HELLO)}\n`;
    case "run":
      if (message.id === undefined || message.id === null) throw new ProtocolError("a question without an id");
      return `${JSON.stringify({ id: message.id, ...guarded(message) })}\n`;
    case "bye":
      return null;
    default:
      throw new ProtocolError("not a message of the protocol");
  }
}

function guarded(question) {
  try {
    return answer(question);
  } catch (error) {
    if (error instanceof Unsupported) return unsupported(error.message);
    return { status: "error", message: String(error) };
  }
}

/**
 * Reads the lines that have arrived, and then writes their answers in one write. No answer waits for a
 * further question.
 */
async function serve(input, output) {
  const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let replies = "";

  /** Appends the answer to one line to `replies`. Returns false after bye. */
  function take(bytes) {
    let line;
    try {
      line = utf8.decode(bytes);
    } catch {
      throw new ProtocolError("not UTF-8");
    }
    const reply = replyTo(line);
    replies += reply ?? "";
    return reply !== null;
  }

  try {
    let rest = Buffer.alloc(0);
    for await (const chunk of input) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let start = 0;
      for (let end; (end = bytes.indexOf(10, start)) !== -1; start = end + 1) {
        if (!take(bytes.subarray(start, end))) return;
      }
      rest = bytes.subarray(start);
      if (replies !== "" && !output.write(replies)) await new Promise((done) => output.once("drain", done));
      replies = "";
    }
    take(rest);
  } finally {
    // Even after a failure, the questions before an invalid line must be answered.
    if (replies !== "") output.write(replies);
  }
}

try {
  await serve(process.stdin, process.stdout);
} catch (error) {
  process.stderr.write(`node_url.mjs: ${error instanceof ProtocolError ? error.message : error.stack}\n`);
  process.exitCode = 1;
}
