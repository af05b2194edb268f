/**
 * urlconform adapter for JavaScript libraries: `node adapter.mjs LIBRARY RFCS FOLDER`.
 *
 * RFCS is a JSON file. For each RFC, it contains the rules for a whole URL and the names of the components.
 * FOLDER is the folder in which npm has installed the libraries. Every answer comes from the library: the
 * adapter only translates names, and does not correct any answer. Bun and Deno also run this program, to test
 * their own `URL`.
 */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { runInNewContext } from "node:vm";

/** WHATWG parsers have no relative form, so a reference is checked against this base. */
const BASE = "http://a/b/c/d;p?q";

/** The beginning of a text that is not a relative reference under any RFC. */
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/u;

const [NAME, RFCS_PATH, FOLDER] = process.argv.slice(2);
const RFCS = JSON.parse(readFileSync(RFCS_PATH, "utf8"));
const RUNTIME =
  ["bun", "deno"].find((name) => name in process.versions) ?? "node";

/** The library refuses the text. The adapter throws it if the library reports the refusal in a value. */
class Refusal extends Error {}

/** The library has no answer to the question. */
class Unsupported extends Error {}

const refuse = (message) => {
  throw new Refusal(message);
};

// ---- conventions of the protocol: null is absent, undefined is not exposed

/** Return a host, with brackets if the library writes it in brackets in its text of host and port. */
const asWritten = (host, hostAndPort) =>
  host && hostAndPort.startsWith(`[${host}]`) ? `[${host}]` : host;

/** Remove the brackets of an IP literal, for libraries that add them. */
const withoutBrackets = (host) => host?.replace(/^\[(.*:.*)\]$/su, "$1");

/** Remove the ":" after a scheme. */
const scheme = (protocol) => protocol?.replace(/:$/u, "") || null;

/**
 * Remove the delimiter before a component, if it is there. Return null for an empty text, which is an absent
 * component.
 */
const after = (delimiter, text) => {
  if (!text) return null;
  return text.startsWith(delimiter) ? text.slice(delimiter.length) : text;
};

/** The url-path of RFC 1738, which begins after the slash. Without a slash, it is absent. */
const urlPath = (path) => (path.startsWith("/") ? path.slice(1) : null);

/** Join userinfo as the library writes it: without a colon if there is no password. */
const joined = (user, password) =>
  password ? `${user ?? ""}:${password}` : user;

// ---- libraries

/** Import an installed package. */
async function load(name) {
  const require = createRequire(pathToFileURL(join(FOLDER, "package.json")));
  const found = await import(pathToFileURL(require.resolve(name)));
  return found.default ?? found;
}

/**
 * A library, as functions of texts. Functions that the library lacks are left out.
 *
 * - `parse` returns the components that the library shows
 * - `check` returns false or throws if a text is invalid, if the library has a stricter check than its parser
 * - `refuses` recognizes the exceptions with which the library refuses a text; all others are errors
 * - `relative` is false if the library does not parse relative references
 * - `empty` is true if the library distinguishes empty components from absent ones
 * - `to_uri` maps an IRI to a URI, and `to_iri` converts a URI to an IRI (RFC 3987, sections 3.1 and 3.2)
 * - `iris` has the functions for questions about RFC 3987, if they are not those for URIs
 * - `modes` are those in which the library normalizes and compares, by default both
 * - `lenient` is true if the library does not refuse any text; then the adapter does not offer `validate`
 * - `language` is the language of the parser, if it is not JavaScript
 */
const LIBRARIES = {
  "whatwg-url": async () => whatwg((await load("whatwg-url")).URL),
  bun: () => ({
    ...whatwg(URL),
    language: "c++",
    homepage: "https://bun.com/docs/runtime/web-apis",
  }),
  deno: () => ({
    ...whatwg(URL),
    language: "rust",
    homepage: "https://docs.deno.com/api/web/~/URL",
  }),

  "uri-js": async () => {
    const library = await load("uri-js");
    return {
      ...components(library, () => false),
      specs: ["rfc3986", "rfc3987"],
      iris: {
        ...components(
          library,
          () => false,
          { iri: true },
          { iri: true, unicodeSupport: true }, // the parser shows characters
        ),
        // as the README does it, without a look at `error`
        to_uri: (text) => library.serialize(library.parse(text)),
        to_iri: (text) => library.serialize(library.parse(text), { iri: true }),
      },
    };
  },

  "fast-uri": async () =>
    components(await load("fast-uri"), ({ message }) =>
      /^(?:URI|HTTP URIs|URN|Host's) /u.test(message),
    ),

  urijs: async () => {
    const URI = await load("urijs");
    return {
      specs: ["rfc2732", "rfc3986"],
      refuses: ({ message }) => /^(?:Hostname|Port|URNs) /u.test(message),
      parse(text) {
        const uri = new URI(text);
        const host = uri.hostname(); // unlike host(), without brackets
        return {
          scheme: uri.scheme(),
          authority: uri.authority(),
          userinfo: uri.userinfo(),
          user: uri.username(), // decoded, as is the password
          password: uri.password(),
          host: asWritten(host, uri.host()),
          port: uri.port(),
          path: uri.path(),
          query: uri.query(),
          fragment: uri.fragment(),
        };
      },
      resolve: (base, reference) => new URI(reference, base).toString(),
      normalize: (text) => new URI(text).normalize().toString(),
      equivalent: (one, other) => new URI(one).equals(other),
    };
  },

  "url-parse": async () => {
    const Url = await load("url-parse");
    return {
      empty: true,
      parse(text) {
        const url = new Url(text, "");
        return {
          scheme: scheme(url.protocol),
          userinfo: url.auth || null,
          user: url.username || null,
          password: url.password || null,
          host: url.hostname || null,
          port: url.port || null,
          path: url.pathname,
          query: after("?", url.query), // the query of the library includes the delimiter
          fragment: after("#", url.hash),
        };
      },
      resolve: (base, reference) => new Url(reference, base).href,
    };
  },

  "@hyperjump/uri": async () => {
    const uri = await load("@hyperjump/uri");
    const functions = (isReference, isAbsolute, parse, resolve, normalize) => ({
      check: isReference,
      parse(text) {
        const parts = parse(text);
        return {
          scheme: parts.scheme ?? null,
          authority: parts.authority ?? null,
          userinfo: parts.userinfo ?? null,
          host: parts.host ?? null,
          port: parts.port ?? null,
          path: parts.path,
          query: parts.query ?? null,
          fragment: parts.fragment ?? null,
        };
      },
      resolve: (base, reference) => resolve(reference, base),
      normalize(text) {
        // its documentation has `uri` as the argument, and `uriReference` where a reference will do
        if (isReference(text) && !isAbsolute(text)) {
          throw new Unsupported("no normal form of a relative reference");
        }
        return normalize(text);
      },
    });
    return {
      ...functions(
        uri.isUriReference,
        uri.isUri,
        uri.parseUriReference,
        uri.resolveUri,
        uri.normalizeUri,
      ),
      iris: functions(
        uri.isIriReference,
        uri.isIri,
        uri.parseIriReference,
        uri.resolveIri,
        uri.normalizeIri,
      ),
      specs: ["rfc3986", "rfc3987"],
      empty: true,
      refuses: ({ message }) =>
        /^(?:Invalid|Unsupported IP version) /u.test(message),
      modes: ["syntax"],
    };
  },

  "url-toolkit": async () => {
    const toolkit = await load("url-toolkit");
    return {
      specs: ["rfc1808"],
      empty: true,
      lenient: true,
      parse(text) {
        const parts = toolkit.parseURL(text);
        return {
          scheme: scheme(parts.scheme),
          authority: after("//", parts.netLoc),
          path: parts.path,
          params: after(";", parts.params),
          query: after("?", parts.query),
          fragment: after("#", parts.fragment),
        };
      },
      resolve: (base, reference) => toolkit.buildAbsoluteURL(base, reference),
    };
  },

  iri: async () => {
    const { IRI } = await load("iri");
    return {
      specs: ["rfc3986", "rfc3987"],
      empty: true,
      lenient: true,
      parse(text) {
        const iri = new IRI(text);
        const authority = iri.authority();
        const shown = {
          scheme: iri.scheme(),
          authority,
          path: iri.path(),
          query: after("?", iri.query()),
          fragment: after("#", iri.fragment()),
        };
        // Without an authority, these methods throw a TypeError, so the library shows no such component.
        if (authority === null) return shown;
        return {
          ...shown,
          userinfo: iri.userinfo(),
          host: iri.host(),
          port: iri.port(),
        };
      },
      resolve: (base, reference) =>
        inTime(() => new IRI(base).resolveReference(reference).toString()),
      to_uri: (text) => new IRI(text).toURIString(),
      to_iri: (text) => new IRI(text).toIRIString(),
    };
  },

  "node-url-parse": async () => ({
    ...legacy((await import("node:url")).default),
    homepage: "https://nodejs.org/api/url.html#legacy-url-api",
  }),
  "fast-url-parser": async () => legacy(await load("fast-url-parser")),
};

/** Call a function with a time limit, because `resolveReference` of iri never returns for some references. */
function inTime(call) {
  return runInNewContext("call()", { call }, { timeout: 1000 });
}

/** The class `URL` of the URL Standard. It throws a TypeError for a text that it refuses. */
function whatwg(URL) {
  return {
    relative: false,
    refuses: (error) => error instanceof TypeError,
    check: (text) => new URL(text, BASE) !== null,
    parse(text) {
      const url = new URL(text);
      return {
        scheme: scheme(url.protocol),
        user: url.username,
        password: url.password,
        host: url.hostname,
        port: url.port,
        path: url.pathname,
        query: url.search.slice(1),
        fragment: url.hash.slice(1),
      };
    },
    resolve: (base, reference) => new URL(reference, base).href,
  };
}

/**
 * The functions of uri-js or fast-uri, with the options of all functions and of the parser. Both libraries have
 * the same interface.
 */
function components(library, refuses, options, parserOptions = options) {
  return {
    specs: ["rfc3986"],
    empty: true,
    refuses,
    parse(text) {
      const parts = library.parse(text, parserOptions);
      if (parts.error !== undefined) refuse(parts.error);
      // A ":" is not enough to recognize an IP literal, because a decoded host may also contain one. But only
      // an IP literal is written in brackets.
      const { host } = parts;
      const written = library.serialize({ host }, options);
      const literal = /^\/\/\[.*\]$/su.test(written) && !host.startsWith("[");
      return {
        scheme: parts.scheme ?? null,
        userinfo: parts.userinfo ?? null,
        host: (literal ? `[${host}]` : host) ?? null,
        port: parts.port === undefined ? null : String(parts.port),
        // For mailto, urn and ws, other components contain the path and, in some cases, the query.
        path: parts.path,
        query: parts.path === undefined ? parts.query : (parts.query ?? null),
        fragment: parts.fragment ?? null,
      };
    },
    resolve: (base, reference) => library.resolve(base, reference, options),
    normalize: (text) => library.normalize(text, options),
    equivalent: (one, other) => library.equal(one, other, options),
    recompose: (parts) =>
      library.serialize(
        {
          scheme: parts.scheme ?? undefined,
          userinfo: parts.userinfo ?? undefined,
          host: parts.host ?? undefined,
          port: parts.port ?? undefined,
          path: parts.path,
          query: parts.query ?? undefined,
          fragment: parts.fragment ?? undefined,
        },
        options,
      ),
  };
}

/** The interface of Node.js before `URL`. The library fast-url-parser has the same interface. */
function legacy(url) {
  return {
    empty: true,
    // The documentation names both: the URIError is about the percent-encoding of userinfo.
    refuses: (error) =>
      error.code === "ERR_INVALID_URL" || error instanceof URIError,
    parse(text) {
      // With its default arguments: "//h/p" is a path.
      const found = url.parse(text);
      return {
        scheme: found.protocol?.replace(/:$/u, "") ?? null,
        userinfo: found.auth, // decoded
        host: asWritten(found.hostname, found.host),
        port: found.port,
        path: found.pathname ?? "",
        query: found.query,
        fragment: after("#", found.hash),
      };
    },
    resolve: (base, reference) => url.resolve(base, reference),
    recompose: (parts) =>
      url.format({
        protocol: parts.scheme,
        slashes: parts.authority !== null,
        auth: authOf(url, parts.userinfo),
        hostname: withoutBrackets(parts.host),
        port: parts.port,
        pathname: parts.path,
        search: parts.query === null ? null : `?${parts.query}`,
        hash: parts.fragment === null ? null : `#${parts.fragment}`,
      }),
  };
}

/** The field `auth` as the parser of the library sets it, which decodes it. */
function authOf(url, userinfo) {
  if (!userinfo?.includes("%")) return userinfo;
  try {
    return url.parse(`http://${userinfo}@h/`).auth;
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw new Unsupported(
      "the parser refuses this userinfo, so no value of the field stands for it",
    );
  }
}

// ---- answers

const LIBRARY = await LIBRARIES[NAME]();

/** The functions for questions about RFC 3987. */
const IRIS = LIBRARY.iris ?? LIBRARY;

/** Return the functions for the RFC of a question. */
const libraryFor = ({ spec }) => (spec === "rfc3987" ? IRIS : LIBRARY);

const OPERATIONS = {
  validate,
  parse,
  resolve,
  normalize,
  equivalent,
  recompose,
  to_uri,
  to_iri,
};
const offers = (library, name) =>
  name in library || (name === "validate" && !LIBRARY.lenient);
const OFFERED = Object.keys(OPERATIONS).filter(
  (name) => offers(LIBRARY, name) || offers(IRIS, name),
);

function hello() {
  const path = join(FOLDER, "node_modules", NAME, "package.json");
  const own = LIBRARY.homepage !== undefined;
  return {
    type: "hello",
    protocol: 1,
    implementation: {
      name: NAME,
      version: own
        ? process.versions[RUNTIME]
        : JSON.parse(readFileSync(path, "utf8")).version,
      language: LIBRARY.language ?? "javascript",
      runtime: `${RUNTIME} ${process.versions[RUNTIME]}`,
      homepage: LIBRARY.homepage ?? `https://www.npmjs.com/package/${NAME}`,
    },
    ops: OFFERED,
    specs: LIBRARY.specs ?? [],
    features: [
      "validate-by-parse",
      ...(LIBRARY.empty ? ["absent-vs-empty"] : []),
    ],
    modes:
      "normalize" in LIBRARY ? (LIBRARY.modes ?? ["syntax", "scheme"]) : [],
    window: 64,
  };
}

/** Answer a question, without its id. */
function answer(question) {
  const texts = ["url", "other", "base", "reference"];
  try {
    const { op } = question;
    if (!OFFERED.includes(op) || !offers(libraryFor(question), op)) {
      throw new Unsupported(`the library has no ${op}`);
    }
    if (texts.some((name) => question[name]?.hex !== undefined)) {
      throw new Unsupported("the library takes text, not bytes");
    }
    return { status: "ok", ...OPERATIONS[op](question) };
  } catch (error) {
    const { message } = error;
    if (error instanceof Unsupported) return { status: "unsupported", message };
    return isRefusal(error)
      ? { status: "reject", message }
      : { status: "error", message: String(error) };
  }
}

/** Return true for an exception that refuses a text. */
function isRefusal(error) {
  return error instanceof Refusal || LIBRARY.refuses?.(error) === true;
}

/**
 * Accept a text if the library accepts it, and if it has the form that the rule requires. Say so if the library
 * needs a base for it.
 */
function validate(question) {
  const parts = parsed(question);
  if (libraryFor(question).check?.(question.url) === false) {
    refuse("the library says that it is invalid");
  }
  return parts === null ? { message: "only with a base" } : {};
}

/** Return the components under the names of the RFC. */
function parse(question) {
  const parts = parsed(question);
  if (parts === null) {
    throw new Unsupported("no components of a relative reference alone");
  }
  if (parts.userinfo === undefined && parts.user !== undefined) {
    parts.userinfo = joined(parts.user, parts.password);
  }
  const named = RFCS.components[question.spec];
  const names = named[(parts.scheme ?? "").toLowerCase()] ?? named[""];
  if (typeof parts.params === "string" && !("params" in names)) {
    parts.path += `;${parts.params}`;
  }
  if (parts.path !== undefined) parts["url-path"] = urlPath(parts.path);
  return {
    components: Object.fromEntries(
      Object.entries(names)
        .filter(([, part]) => parts[part] !== undefined)
        .map(([name, part]) => [name, parts[part]]),
    ),
  };
}

/**
 * Return the components of a text, or null for a relative reference that the library only parses with a base.
 * Refuse a text that does not have the form that the rule requires.
 */
function parsed(question) {
  const text = question.url;
  const rule = ruleOf(question);
  const parts = partsOf(libraryFor(question), text, rule.form);
  const seen = parts?.scheme || null;
  if (rule.form === "absolute" && seen === null) refuse("it has no scheme");
  if (rule.form === "relative" && seen !== null) refuse("it has a scheme");
  if (!rule.fragment && text.includes("#")) refuse("it has a fragment");
  if (rule.scheme !== undefined && seen?.toLowerCase() !== rule.scheme) {
    refuse(`the scheme is ${seen}`);
  }
  return parts;
}

/** Return what a rule for whole URLs requires. */
function ruleOf({ spec, rule: name }) {
  const rule = RFCS.rules[spec][name ?? RFCS.default[spec]];
  if (rule === undefined) {
    throw new Unsupported("the library parses whole URLs only");
  }
  return rule;
}

function partsOf(library, text, form) {
  try {
    return library.parse(text);
  } catch (error) {
    const mayNeedBase =
      LIBRARY.relative === false && form !== "absolute" && !SCHEME.test(text);
    if (mayNeedBase && isRefusal(error) && acceptsWithBase(text)) return null;
    throw error;
  }
}

function acceptsWithBase(text) {
  try {
    return LIBRARY.check(text);
  } catch {
    return false;
  }
}

function resolve(question) {
  const { base, reference } = question;
  return { url: libraryFor(question).resolve(base, reference) };
}

function normalize(question) {
  return { url: libraryFor(question).normalize(question.url) };
}

function equivalent(question) {
  const { url, other } = question;
  return { equal: libraryFor(question).equivalent(url, other) };
}

function to_uri(question) {
  ruleOf(question); // the library maps whole IRIs only
  return { url: libraryFor(question).to_uri(question.url) };
}

function to_iri(question) {
  ruleOf(question); // the library converts whole URIs only
  return { url: libraryFor(question).to_iri(question.url) };
}

function recompose(question) {
  const { spec, components: parts } = question;
  if (spec === "rfc1738" || spec === "rfc1808") {
    throw new Unsupported("the library has the components of RFC 3986");
  }
  if (parts.authority !== null && (parts.host ?? null) === null) {
    throw new Unsupported("the library has no authority without a host");
  }
  return { url: libraryFor(question).recompose(parts) };
}

// ---- the loop over lines

/** Return the reply to a line as a line, an empty text if the line needs no reply, or null after bye. */
function reply(line) {
  const message = line.trim() === "" ? {} : JSON.parse(line);
  switch (message.type) {
    case "hello":
      return `${JSON.stringify(hello())}\n`;
    case "run":
      return `${JSON.stringify({ id: message.id, ...answer(message) })}\n`;
    case "bye":
      return null;
    default:
      return "";
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
let rest = "";
for await (const chunk of process.stdin) {
  const lines = (rest + utf8.decode(chunk, { stream: true })).split("\n");
  rest = lines.pop();
  const replies = lines.map(reply);
  const end = replies.indexOf(null);
  // The replies to lines that arrived together are written together. No reply waits for a later line.
  if (end < 0) process.stdout.write(replies.join(""));
  else process.stdout.write(replies.slice(0, end).join(""), process.exit);
}
