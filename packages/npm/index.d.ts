/** A text. One that is no well-formed Unicode is an array of its bytes. */
export type Text = string | Uint8Array;

/**
 * Parts of a URL by the names that the RFC has for them. A part is null if it is
 * absent from the URL. Parts that a library does not expose are left out.
 */
export type Parts = { [name: string]: Part };
export type Part = Text | null | boolean | Part[];

/** What a library is asked. Only the fields of the operation are there. */
export interface Question {
  op: string;
  /** The RFC by which the answer is judged, such as "rfc3986". */
  spec: string;
  /** The grammar rule of the text, such as "URI-reference". */
  rule: string | null;
  /** "generic", "scheme-specific" or "prose". */
  profile: string | null;
  /** How far to normalize: "syntax", "scheme" or "simple". */
  mode: string | null;
}

/** A question about a text. It is a string, unless the implementation takes bytes. */
export interface URLQuestion extends Question {
  url: string;
}

/**
 * A library to test: a method for each operation that it has. It is not asked for
 * others. A method may return a promise. It throws `Unsupported` if the library
 * cannot be asked, and rejects a text by `Rejected` or an exception of which
 * `isRejection` says so. Every other exception is a failure, the outcome "error".
 */
export interface Implementation {
  /** The name of the library, which is written to new files of known failures. */
  name: string;

  /**
   * The library tells an empty component from an absent one: http://h? has an
   * empty query, and http://h has none. Without it, null and "" are equal in its
   * answers, and an answer with a component that has to be empty is only partial.
   */
  tellsEmptyFromAbsent?: boolean;

  /** Texts that are no well-formed Unicode are asked, too, each as a Uint8Array. */
  takesBytes?: boolean;

  /** Returns whether an exception says that a text is invalid. */
  isRejection?(error: any): boolean;

  /** Returns whether the rule of the question derives the URL. */
  validate?(question: URLQuestion): Answer<boolean>;
  /** Returns the components of a URL. */
  parse?(question: URLQuestion): Answer<Parts>;
  /** Returns the target of a reference. */
  resolve?(
    question: Question & { base: string; reference: string },
  ): Answer<Text | typeof SAME_DOCUMENT>;
  /** Returns the text of components. */
  recompose?(question: Question & { components: Parts }): Answer<Text>;
  /** Returns the normal form of a URL. */
  normalize?(question: URLQuestion): Answer<Text>;
  /** Returns whether two URLs are equivalent. */
  equivalent?(question: URLQuestion & { other: string }): Answer<boolean>;
  /** Returns the URLs in running text, in their order; for a URL with several readings, a list. */
  extract?(question: Question & { text: string }): Answer<(Text | Text[])[]>;
  /** Returns what the parts of a URL of RFC 1738 mean. */
  decode?(question: URLQuestion): Answer<Parts>;
  /** Returns the base that applies, or null. If there is a header, it is the only source. */
  base?(
    question: Question & {
      embedded?: string | null;
      encapsulating?: string | null;
      retrieval?: string | null;
      default?: string | null;
      header?: string | null;
    },
  ): Answer<Text | null>;
  /** Returns the URI of an IRI. */
  toURI?(question: URLQuestion): Answer<Text>;
  /** Returns the IRI of a URI. */
  toIRI?(question: URLQuestion): Answer<Text>;
}

export type Answer<T> = T | Promise<T>;

export interface Options {
  /** The RFCs by which the library is tested, such as "rfc3986". By default these are all. */
  specs?: string[];
  /** The file of known failures. One that does not exist lists none. */
  knownFailures?: string | null;
  /** Leave out cases with texts of more than 1,024 characters. By default URLCONFORM_SHORT=1. */
  short?: boolean;
  /** Write the file of known failures. By default URLCONFORM_UPDATE=1. */
  update?: boolean;
}

export interface RunOptions extends Options {
  /** Which cases are asked, by their names, such as "rfc3986/5.2". */
  filter?: string | RegExp | null;
}

export interface Result {
  /** The id of the case. */
  readonly id: string;
  /** The name of the case in tests, such as "rfc3986/5.2.4/excess-many". */
  readonly name: string;
  /** "pass", "variant", "partial", "unsupported", "fail" or "error". */
  readonly outcome: string;
  /** The name of the variant, or "". */
  readonly variant: string;
  /** What the list of known failures says: "new", "stale", "moved", "lost", "changed" or "". */
  readonly finding: string;
  /** Whether the list of known failures has the case. */
  readonly known: boolean;
  /** Whether there is no finding. */
  readonly ok: boolean;
  /** The outcome and the statement, in one line. */
  readonly summary: string;
  /** The case, the question, the answer and what the RFC admits, in lines. */
  readonly report: string;
}

export interface Counts {
  outcomes: { [outcome: string]: number };
  valid: { asked: number; right: number };
  invalid: { asked: number; right: number };
  toString(): string;
}

/** Asks an implementation all questions, without a test runner. */
export function run(
  implementation: Implementation,
  options?: RunOptions,
): Promise<{ results: Result[]; counts: Counts; ok: boolean }>;

/** What a method throws to reject a text as invalid. */
export class Rejected extends Error {}

/** What a method throws if the library cannot be asked. */
export class Unsupported extends Error {}

/** What `resolve` returns for a reference to the document that contains it. */
export const SAME_DOCUMENT: unique symbol;
