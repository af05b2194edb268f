// An adapter for urlconform, protocol 1: questions on stdin, answers on stdout, one JSON object per line.
// A library of IRIs adds "rfc3987" to specs, and to ops "to_uri" and "to_iri", whose answers have a url.
import { createInterface } from "node:readline";

const HELLO = {
  type: "hello",
  protocol: 1,
  window: 64,
  ops: ["validate", "parse", "resolve"],
  specs: [], // the RFCs that it claims: URL follows another standard
  implementation: {
    name: "URL",
    version: process.versions.node,
    language: "javascript",
  },
  features: ["validate-by-parse"], // and "absent-vs-empty" if it distinguishes http://h from http://h?
};
const UNSUPPORTED = {
  status: "unsupported",
  message: "not this operation, specification, rule or bytes",
};

// Your library goes here: null is absent, "" is present but empty; leave out what it does not have.
function answer({ op, spec, rule = "URI-reference", url, base, reference }) {
  const texts = op === "resolve" ? [base, reference] : [url];
  if (!texts.every((text) => typeof text === "string")) return UNSUPPORTED;
  if (op === "resolve") {
    return { status: "ok", url: new URL(reference, base).href };
  }
  const known =
    ["validate", "parse"].includes(op) &&
    ["rfc2396", "rfc2732", "rfc3986", "rfc3987"].includes(spec) &&
    ["URI", "URI-reference", "IRI", "IRI-reference"].includes(rule);
  if (!known) return UNSUPPORTED;
  // URL takes a relative reference only with a base
  const relative = rule.endsWith("-reference") && !URL.canParse(url);
  const found = relative ? new URL(url, "http://a/") : new URL(url);
  if (op === "validate") return { status: "ok" };
  if (relative) {
    return {
      status: "unsupported",
      message: "no components of a relative reference",
    };
  }
  const components = {
    scheme: found.protocol.slice(0, -1),
    userinfo: found.password
      ? `${found.username}:${found.password}`
      : found.username,
    host: found.hostname,
    port: found.port,
    path: found.pathname,
    query: found.search.slice(1),
    fragment: found.hash.slice(1),
  };
  return { status: "ok", components };
}

function reply(message) {
  if (message.type === "hello") return HELLO;
  try {
    return answer(message);
  } catch (error) {
    // an exception fails only this question
    const status = error.code === "ERR_INVALID_URL" ? "reject" : "error";
    return { status, message: String(error) };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  if (!line.trim()) continue;
  const message = JSON.parse(line);
  if (message.type === "bye") process.exit();
  console.log(JSON.stringify({ ...reply(message), id: message.id }));
}
