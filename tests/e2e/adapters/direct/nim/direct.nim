# Print the fields of std/uri, one question and one answer a line.
# https://nim-lang.org/docs/uri.html

import std/[json, uri]

proc accessors(url: Uri): JsonNode =
  %*{
    "scheme": url.scheme,
    "username": url.username,
    "password": url.password,
    "hostname": url.hostname,
    "port": url.port,
    "path": url.path,
    "query": url.query,
    "anchor": url.anchor,
    "opaque": url.opaque,
  }

proc shown(question: JsonNode): JsonNode =
  case question["op"].getStr
  of "parse":
    %*{"accessors": accessors(parseUri(question["url"].getStr))}
  of "resolve":
    let base = parseUri(question["base"].getStr)
    let reference = parseUri(question["reference"].getStr)
    %*{"url": $combine(base, reference)}
  else:
    %*{"offered": false}

proc answer(question: JsonNode): JsonNode =
  try:
    shown(question)
  except UriParseError as refusal:
    %*{"refused": refusal.msg}
  except CatchableError as failure:
    %*{"failed": $failure.name & ": " & failure.msg}

for line in stdin.lines:
  echo answer(parseJson(line))
