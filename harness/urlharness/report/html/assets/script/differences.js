  /*
   * The words that select differences between answers; `urlconform compare --where` has the same.  A query with
   * one of them, even a negated one, selects among the cases that are answered differently.
   */
  const PARTS = ["scheme", "userinfo", "host", "port", "path", "query", "fragment", "verdict"];

  const accepts = (data, [outcome, , , got]) => data.kinds[outcome] !== "abnormal" && got.status === "ok";
  const rejects = (data, [outcome, , , got]) => data.kinds[outcome] !== "abnormal" && got.status === "reject";
  const replies = (data, answer) => accepts(data, answer) || rejects(data, answer);

  // The states of one library's answer, as in NAME=right; without an answer it has none.
  const STANCES = {
    right: (data, answer) => replies(data, answer) && answer[0] !== "fail",
    wrong: (data, answer) => replies(data, answer) && answer[0] === "fail",
    accept: accepts,
    reject: rejects,
  };

  // A test whether the answer of one of the columns fits.
  function answerTest(data, fits, columns) {
    const { answers, cases, partitions } = data.details;
    const fitting = answers.map(fits);
    return (number) => {
      const found = cases[number], letters = partitions[found[5]];
      return columns.some((column) => letters[column] !== NONE && fitting[found[6 + letters.charCodeAt(column) - 48]]);
    };
  }

  // A test of the difference between the answers to a case: [parts, class, cause, columns that are alone].
  function differenceTest(data, fits) {
    const { cases } = data.details.differences;
    return (number) => cases[number].length > 0 && fits(cases[number]);
  }

  // RFC 3986, appendix B, and the parts of an authority (section 3.2).
  function splitURL(text) {
    const [, scheme, authority, path, query, fragment] = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(text);
    const [, userinfo, host, port] = /^(?:(.*)@)?((?:\[[^\]]*\])?[^:]*)(?::(.*))?$/s.exec(authority) || [null, undefined, authority];
    return authority === undefined ? { scheme, path, query, fragment } : { scheme, userinfo, host, port, path, query, fragment };
  }

  // Whether an answer shows a component with this value, also in its URL.
  const isSeen = (data, name, value) => ([, , , { url, components }, , , , shown]) => {
    if (typeof url === "string") return url.includes(value) && splitURL(url)[name] === value;
    if (shown === null) return false;
    const { order = [] } = data.details.shown[shown];
    if (!order.includes(name)) return false;
    const seen = components[name];
    return (typeof seen === "string" ? seen : JSON.stringify(seen)) === value;
  };

  // A component that differs by more than spelling, or that a library sees with this value.
  const partWord = (name) => ({
    knows: () => true,
    test: (data, value, columns, written) => {
      if (value) return answerTest(data, (answer) => accepts(data, answer) && isSeen(data, name, written)(answer), columns);
      const fitting = data.details.differences.parts.map((parts) => parts.includes(name));
      return differenceTest(data, ([parts]) => fitting[parts]);
    },
  });

  const DIFFERENCES = {
    is: {
      knows: (data, value) => value === "different",
      test: (data) => differenceTest(data, ([parts]) => data.details.differences.parts[parts].length > 0),
    },
    differs: {
      knows: (data, value) => PARTS.includes(value),
      test: (data, value, columns) => partWord(value).test(data, "", columns),
    },
    // the first of the parts is the most harmful one
    severity: {
      knows: (data, value) => PARTS.includes(value) || data.details.differences.parts.some(([first]) => first === value),
      test: (data, value) => {
        const fitting = data.details.differences.parts.map(([first]) => first === value);
        return differenceTest(data, ([parts]) => fitting[parts]);
      },
    },
    only: {
      knows: (data, value, written) => columnOf(data, written) >= 0,
      test: (data, value, columns, written) => {
        const column = columnOf(data, written);
        return differenceTest(data, (found) => found.indexOf(column, 3) > 0);
      },
    },
    cause: {
      knows: (data, value) => data.details.differences.causes.some((cause) => cause.includes(value)),
      test: (data, value) => {
        const fitting = data.details.differences.causes.map((cause) => cause.includes(value));
        return differenceTest(data, ([, , cause]) => fitting[cause]);
      },
    },
    // `none` if the difference has no class
    class: {
      knows: (data, value) => data.cases.some(({ cls }) => cls.toLowerCase() === value) || data.details.differences.classes.includes(value),
      test: (data, value) => differenceTest(data, ([, entry]) => data.details.differences.classes[entry] === value),
    },
    ...Object.fromEntries(PARTS.map((name) => [name, partWord(name)])),
  };

  const isAboutDifferences = (name) => name === "stance" || Object.hasOwn(DIFFERENCES, name ?? "");

  // A word such as urllib=wrong as a token; otherwise null.
  function stanceIn(data, { raw, negated, body }) {
    const [, name, states] = /^(.+)=([^=:]*)$/s.exec(unquoted(body)) || [];
    const column = name === undefined ? -1 : columnOf(data, name);
    return column < 0 ? null : { raw, negated, name: "stance", column, values: states.toLowerCase().split(",") };
  }
