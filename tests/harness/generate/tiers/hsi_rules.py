"""The rules for whose automata suites are made."""

RULES = [
    ("rfc1738", "mailtourl"),
    ("rfc1738", "httpurl"),
    ("rfc1738", "ftpurl"),
    ("rfc1808", "URL"),
    ("rfc2396", "URI-reference"),
    ("rfc3986", "URI-reference"),
    ("rfc3987", "irelative-ref"),
]
