// Print the accessors of a JavaScript library: `direct.mjs LIBRARY FOLDER`, one question and one answer a line.
// FOLDER contains node_modules. Each library is called as its documentation does it; direct.toml names the page.

import { createRequire } from "node:module";
import process from "node:process";
import { createInterface } from "node:readline";

const [name, folder] = process.argv.slice(2);
const load = createRequire(`${folder}/direct.js`);

/** The library reports that it refuses a text in a field, not by an exception. */
class Refusal extends Error {}

/** Return the values of properties of an object. A property that is not there is null. */
function properties(object, names) {
  return Object.fromEntries(names.map((property) => [property, object[property] ?? null]));
}

/** Return what methods without arguments return, by their names. */
function methods(object, names) {
  return Object.fromEntries(names.map((method) => [method, object[method]() ?? null]));
}

const WHATWG = ["href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"];
const LEGACY = ["href", "protocol", "slashes", "auth", "host", "port", "hostname", "hash", "search", "query", "pathname"];
const COMPONENTS = ["scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment"];

/** The class URL of the browsers, whose constructor throws a TypeError. */
function whatwg(URL) {
  return {
    parse: (url) => properties(new URL(url), WHATWG),
    resolve: (base, reference) => new URL(reference, base).href,
    refuses: (error) => error instanceof TypeError,
  };
}

/** The functions parse and resolve of the older interface of Node.js, which throw a TypeError or URIError. */
function legacy(url) {
  return {
    parse: (text) => properties(url.parse(text), LEGACY),
    resolve: (base, reference) => url.resolve(base, reference),
    refuses: (error) => error instanceof TypeError || error instanceof URIError,
  };
}

/** The functions of uri-js, which reports a refusal in the property `error`. */
function uriJs(library, options, parserOptions) {
  return {
    parse: (url) => {
      const parsed = library.parse(url, parserOptions);
      if (parsed.error) throw new Refusal(parsed.error);
      return properties(parsed, COMPONENTS);
    },
    resolve: (base, reference) => library.resolve(base, reference, options),
    normalize: (url) => library.normalize(url, options),
    refuses: (error) => error instanceof Refusal,
  };
}

/** The IRI support of uri-js: `iri` is an option of the serializer, `unicodeSupport` one of the parser. */
function uriJsIris(library) {
  return {
    ...uriJs(library, { iri: true }, { unicodeSupport: true }),
    to_uri: (url) => library.serialize(library.parse(url)),
    to_iri: (url) => library.serialize(library.parse(url), { iri: true }),
  };
}

const libraries = {
  "node-url": () => whatwg(URL),
  bun: () => whatwg(URL),
  deno: () => whatwg(URL),
  "whatwg-url": () => whatwg(load("whatwg-url").URL),
  "node-url-parse": () => legacy(load("node:url")),
  "fast-url-parser": () => legacy(load("fast-url-parser")),
  "uri-js": () => ({ ...uriJs(load("uri-js")), iris: uriJsIris(load("uri-js")) }),
  "fast-uri": () => ({ ...uriJs(load("fast-uri")), refuses: () => true }),
  urijs: () => {
    const URI = load("urijs");
    const names = ["scheme", "username", "password", "userinfo", "authority", "hostname", "port", "pathname", "query", "fragment"];
    return {
      parse: (url) => methods(new URI(url), names),
      resolve: (base, reference) => new URI(reference).absoluteTo(base).toString(),
      normalize: (url) => new URI(url).normalize().toString(),
      refuses: () => true,
    };
  },
  "@hyperjump/uri": () => {
    const library = load("@hyperjump/uri");
    return {
      parse: (url) => properties(library.parseUriReference(url), COMPONENTS),
      resolve: (base, reference) => library.resolveUri(reference, base),
      normalize: (url) => library.normalizeUri(url),
      refuses: () => true,
      iris: {
        parse: (url) => properties(library.parseIriReference(url), COMPONENTS),
        resolve: (base, reference) => library.resolveIri(reference, base),
        normalize: (url) => library.normalizeIri(url),
        refuses: () => true,
      },
    };
  },
  "url-toolkit": () => {
    const library = load("url-toolkit");
    return {
      parse: (url) => {
        const parsed = library.parseURL(url);
        if (parsed === null) throw new Refusal();
        return properties(parsed, ["scheme", "netLoc", "path", "params", "query", "fragment"]);
      },
      resolve: (base, reference) => library.buildAbsoluteURL(base, reference),
      refuses: () => true,
    };
  },
  "url-parse": () => {
    const Url = load("url-parse");
    const names = ["protocol", "slashes", "auth", "username", "password", "host", "hostname", "port", "pathname", "query", "hash", "href"];
    return {
      parse: (url) => properties(new Url(url, {}), names),
      resolve: (base, reference) => new Url(reference, base).href,
      refuses: () => false,
    };
  },
  iri: () => {
    const { IRI } = load("iri");
    return {
      parse: (url) => methods(new IRI(url), COMPONENTS),
      resolve: (base, reference) => new IRI(base).resolveReference(reference).toString(),
      to_uri: (url) => new IRI(url).toURIString(),
      to_iri: (url) => new IRI(url).toIRIString(),
      refuses: () => false,
    };
  },
};

const libraryOfUris = libraries[name]();
const libraryOfIris = libraryOfUris.iris ?? libraryOfUris;

function answer({ op, mode, spec, ...texts }) {
  const library = spec === "rfc3987" ? libraryOfIris : libraryOfUris;
  if (!(op in library)) return { offered: false };
  try {
    const shown = library[op](...Object.values(texts));
    return op === "parse" ? { accessors: shown } : { url: shown };
  } catch (error) {
    if (library.refuses(error)) return { refused: error.message };
    return { failed: `${error.name}: ${error.message}` };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`);
}
