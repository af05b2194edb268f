// An adapter for urlconform, protocol 1: questions on stdin, answers on stdout, one JSON object per line.
import { createInterface } from "node:readline";

const HELLO = {
  type: "hello", protocol: 1, window: 64, ops: ["validate", "parse", "resolve"],
  specs: [], // the RFCs that it claims: URL follows another standard
  implementation: { name: "URL", version: process.versions.node, language: "javascript" },
  features: ["validate-by-parse"], // and "absent-vs-empty" if it distinguishes http://h from http://h?
};

// Your library goes here: null is absent, "" is present but empty; leave out what it does not have.
function answer({ op, spec, rule = "URI-reference", url, base, reference }) {
  const known = ["rfc2396", "rfc2732", "rfc3986"].includes(spec) && ["URI", "URI-reference"].includes(rule);
  const texts = op === "resolve" ? [base, reference] : [url];
  if (!(op === "resolve" || (HELLO.ops.includes(op) && known)) || !texts.every((text) => typeof text === "string")) {
    return { status: "unsupported", message: "not this operation, specification, rule or bytes" };
  }
  if (op === "resolve") return { status: "ok", url: new URL(reference, base).href };
  const relative = rule === "URI-reference" && !URL.canParse(url); // URL takes these with a base only
  const u = relative ? new URL(url, "http://a/") : new URL(url);
  if (op === "validate") return { status: "ok" };
  if (relative) return { status: "unsupported", message: "no components of a relative reference" };
  const components = {
    scheme: u.protocol.slice(0, -1), userinfo: u.password ? `${u.username}:${u.password}` : u.username,
    host: u.hostname, port: u.port, path: u.pathname, query: u.search.slice(1), fragment: u.hash.slice(1),
  };
  return { status: "ok", components };
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = line.trim() ? JSON.parse(line) : {};
  if (message.type === "bye") process.exit();
  let reply = HELLO;
  try { if (message.type === "run") reply = answer(message); } catch (error) { // an exception fails only this question
    reply = { status: error.code === "ERR_INVALID_URL" ? "reject" : "error", message: String(error) };
  }
  if (message.type) console.log(JSON.stringify({ ...reply, id: message.id }));
}
