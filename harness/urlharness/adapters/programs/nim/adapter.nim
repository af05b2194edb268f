## urlconform adapter for Nim libraries: `adapter LIBRARY RFCS`.
##
## RFCS is a JSON file. For each RFC, it contains the rules for a whole URL and the names of the components.
## Every answer comes from the library: the adapter only translates names, and does not correct any answer. A
## defect ends the program. The stack trace names the module of the library.

import std/[json, options, os, strutils, tables, uri]
from std/unicode import validateUtf8

type
  Unsupported = object of CatchableError ## The reason why the library has no answer.
  Parts = Table[string, Option[string]] ## Components by the names of RFC 3986. None means absent.

proc unsupported(reason: string) {.noreturn.} =
  raise newException(Unsupported, reason)

# ---- texts, which are bytes in Nim

proc text(node: JsonNode): string =
  ## Returns a text of a question. An absent text becomes empty, because the library expects this.
  let digits = node{"hex"}
  if digits.isNil: node.getStr else: parseHexStr(digits.getStr)

proc shown(text: string): JsonNode =
  ## Returns a text for a reply, or an object with the hex digits if the text is not Unicode.
  if validateUtf8(text) < 0: %text else: %*{"hex": text.toHex.toLowerAscii}

# ---- the library

proc nonEmpty(text: string): Option[string] =
  ## Returns none for an empty component, because the library shows an absent component as an empty one.
  if text == "": none(string) else: some(text)

proc hostOf(uri: Uri): string =
  ## Returns the hostname, with the brackets that the library writes around it. It also writes them if only the
  ## userinfo has brackets, which a colon in the username shows: outside of brackets, a colon ends it.
  var host = uri
  for name, field in host.fieldPairs:
    when field is string and name != "hostname":
      field = ""
  let
    literal = "[" & uri.hostname & "]"
    onlyOfUserinfo = ':' in uri.username and ':' notin uri.hostname
  if $host == literal and not onlyOfUserinfo: literal else: uri.hostname

proc parts(uri: Uri): Parts =
  let userinfo = uri.username & (if uri.password == "": "" else: ":" & uri.password)
  result = {
    "scheme": nonEmpty(uri.scheme),
    "userinfo": nonEmpty(userinfo),
    "user": nonEmpty(uri.username),
    "password": nonEmpty(uri.password),
    "host": nonEmpty(hostOf(uri)),
    "port": nonEmpty(uri.port),
    "path": some(uri.path),
    "query": nonEmpty(uri.query),
    "fragment": nonEmpty(uri.anchor),
  }.toTable
  result["url-path"] =
    if uri.path.startsWith('/'): some(uri.path[1 .. ^1]) else: none(string)

proc make(components: JsonNode): Uri =
  let
    host = components{"host"}.text
    userinfo = components{"userinfo"}.text.split(':', maxsplit = 1)
  result = initUri(isIpv6 = host.startsWith('['))
  result.scheme = components{"scheme"}.text
  result.opaque = components{"authority"} in [nil, newJNull()] # if true, the library omits the slashes
  result.username = userinfo[0]
  result.password = if userinfo.len > 1: userinfo[1] else: ""
  result.hostname = host.strip(chars = {'[', ']'})
  result.port = components{"port"}.text
  result.path = components{"path"}.text
  result.query = components{"query"}.text
  result.anchor = components{"fragment"}.text

# ---- answers

let hello = %*{
  "type": "hello",
  "protocol": 1,
  "implementation": {
    "name": "nim-uri",
    "version": NimVersion,
    "language": "nim",
    "runtime": "Nim " & NimVersion,
    "homepage": "https://nim-lang.org/docs/uri.html",
  },
  "ops": ["parse", "resolve", "recompose"],
  "specs": ["rfc3986"],
  "features": [],
  "window": 64,
}

proc parse(rfcs, question: JsonNode): JsonNode =
  ## Returns the components under the names of the RFC.
  let
    spec = question["spec"].getStr
    rule = question{"rule"}.getStr(rfcs["default"][spec].getStr)
  if rule notin rfcs["rules"][spec]:
    unsupported("the library knows whole URLs only")
  let
    found = parseUri(question["url"].text).parts
    schemes = rfcs["components"][spec]
    scheme = found["scheme"].get("").toLowerAscii
  result = newJObject()
  for name, part in schemes[if scheme in schemes: scheme else: ""]:
    if part.getStr in found:
      let value = found[part.getStr]
      result[name] = if value.isSome: shown(value.get) else: newJNull()

proc answer(rfcs, question: JsonNode): JsonNode =
  ## Returns the fields of the reply to a question.
  case question["op"].getStr
  of "parse":
    result = %*{"components": parse(rfcs, question)}
  of "resolve":
    let
      base = parseUri(question["base"].text)
      reference = parseUri(question["reference"].text)
    result = %*{"url": shown($combine(base, reference))}
  of "recompose":
    if question["spec"].getStr in ["rfc1738", "rfc1808"]:
      unsupported("the library has the components of RFC 3986")
    result = %*{"url": shown($make(question["components"]))}
  else:
    unsupported("the library has no such operation")
  result["status"] = %"ok"

# ---- the protocol

proc reply(rfcs, question: JsonNode): JsonNode =
  try:
    result = answer(rfcs, question)
  except Unsupported as reason:
    result = %*{"status": "unsupported", "message": reason.msg}
  except CatchableError as error:
    result = %*{"status": "error", "message": $error.name & ": " & error.msg}
  result["id"] = question["id"]

proc serve(rfcs: JsonNode) =
  ## Answers the messages on stdin, one JSON object per line.
  for line in stdin.lines:
    if line.strip == "":
      continue
    let message = parseJson(line)
    case message{"type"}.getStr
    of "hello": echo hello
    of "run": echo reply(rfcs, message)
    of "bye": return
    stdout.flushFile

proc main =
  if paramCount() != 2:
    quit "usage: adapter LIBRARY RFCS"
  if paramStr(1) != "nim-uri":
    quit "no library " & paramStr(1)
  serve(parseFile(paramStr(2)))

main()
