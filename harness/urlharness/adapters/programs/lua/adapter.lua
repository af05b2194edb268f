-- urlconform adapter for Lua libraries: lua5.1 adapter.lua LIBRARY RFCS.
--
-- RFCS is a JSON file. For each RFC, it contains the rules for a whole URL and the names of the components.
-- Every answer comes from the library: the adapter only translates names, and does not correct any answer.

local cjson = require "cjson"

-- an absent component; nil means that the library does not expose the component
local ABSENT = cjson.null

-- Raise a reply as a table. An error of a library is a string.
local function refuse(message)
  error { status = "reject", message = message }
end

local function unsupported(message)
  error { status = "unsupported", message = message }
end

-- Return a value from a library, or refuse the text if the library returned nil and a message.
local function accepted(value, message)
  if value == nil then
    refuse(message)
  end
  return value
end

---- libraries
--
-- package: the Debian package whose version is the version of the library
-- specs: the RFCs that the documentation of the library claims
-- lenient: true if the library refuses hardly any text; then the adapter does not offer validate
-- parse: returns the components as the library shows them, by the names of RFC 3986
-- resolve, normalize, equivalent, recompose: functions of texts, or nil if the library lacks them

local LIBRARIES = {}

LIBRARIES["lua-uri"] = function()
  local URI = require "uri"

  -- URI:new returns nil and a message for an invalid text, but raises an error if its percent-encoding is invalid.
  local function new(text, base)
    local ok, uri, message = pcall(URI.new, URI, text, base)
    if ok then
      return accepted(uri, message)
    elseif uri:find("percent encoding", 1, true) then
      refuse(uri)
    end
    error(uri, 0)
  end

  return {
    package = "lua-uri",
    homepage = "https://geoffrichards.co.uk/lua/uri/",
    specs = { "rfc3986" },
    parse = function(text)
      local uri = new(text)
      local port = uri:port()
      if port == nil then
        port = ABSENT
      elseif port == uri:default_port() then
        port = nil -- the same number is shown with and without a port, so the component is not exposed
      else
        port = tostring(port)
      end
      return {
        scheme = uri:scheme() or ABSENT,
        userinfo = uri:userinfo() or ABSENT,
        user = uri.username and uri:username() or nil, -- decoded; only ftp and telnet URIs have this method
        password = uri.password and uri:password() or nil,
        host = uri:host() or ABSENT,
        port = port,
        path = uri:path(),
        query = uri:query() or ABSENT,
        fragment = uri:fragment() or ABSENT,
      }
    end,
    resolve = function(base, reference)
      return new(reference, base):uri()
    end,
    normalize = function(text)
      return new(text):uri()
    end,
    equivalent = function(one, other)
      return new(one):eq(new(other))
    end,
  }
end

LIBRARIES["luasocket"] = function()
  local url = require "socket.url"

  return {
    package = "lua-socket",
    homepage = "https://lunarmodules.github.io/luasocket/",
    specs = { "rfc2396" },
    lenient = true, -- it refuses only the empty text
    parse = function(text)
      local parts = accepted(url.parse(text))
      local host = parts.host
      if host then
        local literal = "[" .. host .. "]"
        local host_begins = parts.userinfo and #parts.userinfo + 2 or 1
        if parts.authority:sub(host_begins, host_begins + #literal - 1) == literal then
          host = literal -- only the authority has the brackets
        end
      end
      return {
        scheme = parts.scheme or ABSENT,
        authority = parts.authority or ABSENT,
        userinfo = parts.userinfo or ABSENT,
        user = parts.user or ABSENT,
        password = parts.password or ABSENT,
        host = host or ABSENT,
        port = parts.port or ABSENT,
        path = parts.path or "",
        params = parts.params or ABSENT,
        query = parts.query or ABSENT,
        fragment = parts.fragment or ABSENT,
      }
    end,
    resolve = url.absolute,
    recompose = url.build,
  }
end

---- texts

-- The UTF-8 sequences of more than one byte. No other byte of a text may be above 127.
local SEQUENCES = {
  "[\194-\223][\128-\191]",
  "\224[\160-\191][\128-\191]",
  "[\225-\236\238\239][\128-\191][\128-\191]",
  "\237[\128-\159][\128-\191]",
  "\240[\144-\191][\128-\191][\128-\191]",
  "[\241-\243][\128-\191][\128-\191][\128-\191]",
  "\244[\128-\143][\128-\191][\128-\191]",
}

local function is_utf8(text)
  for _, sequence in ipairs(SEQUENCES) do
    text = text:gsub(sequence, "?")
  end
  return not text:find("[\128-\255]")
end

-- Return a text of a question as bytes. If it is not Unicode, the question contains the hex digits.
local function as_text(value)
  if type(value) == "string" then
    return value
  end
  return (value.hex:gsub("%x%x", function(digits)
    return string.char(tonumber(digits, 16))
  end))
end

-- Return a text for a reply. If it is not Unicode, return an object with the hex digits.
local function as_reply(text)
  if is_utf8(text) then
    return text
  end
  return { hex = (text:gsub(".", function(char)
    return ("%02x"):format(char:byte())
  end)) }
end

---- answers

local NAME, PATH = ...
local library = LIBRARIES[NAME]()
local file = assert(io.open(PATH))
local rfcs = cjson.decode(file:read "*a")
file:close()

-- Return the form that the rule of a question requires, if it is a rule for whole URLs.
local function rule_of(question)
  local spec = question.spec
  return rfcs.rules[spec][question.rule or rfcs.default[spec]] or unsupported "the library knows whole URLs only"
end

local OPERATIONS = {}

-- Accept a text if the library accepts it, and if it has the form that the rule requires.
function OPERATIONS.validate(question)
  local rule = rule_of(question)
  local text = as_text(question.url)
  local scheme = library.parse(text).scheme
  if rule.form == "absolute" and scheme == ABSENT then
    refuse "it has no scheme"
  elseif rule.form == "relative" and scheme ~= ABSENT then
    refuse "it has a scheme"
  elseif not rule.fragment and text:find("#", 1, true) then
    refuse "it has a fragment"
  elseif rule.scheme and scheme:lower() ~= rule.scheme then
    refuse("the scheme is " .. scheme)
  end
  return {}
end

-- Return the components under the names of the RFC.
function OPERATIONS.parse(question)
  rule_of(question)
  local parts = library.parse(as_text(question.url))
  local named = rfcs.components[question.spec]
  local names = parts.scheme ~= ABSENT and named[parts.scheme:lower()] or named[""]
  if parts.params and parts.params ~= ABSENT and not names.params then
    parts.path = parts.path .. ";" .. parts.params
  end
  parts["url-path"] = parts.path:match "^/(.*)" or ABSENT
  local shown = {}
  for name, part in pairs(names) do
    local text = parts[part]
    shown[name] = type(text) == "string" and as_reply(text) or text
  end
  return { components = shown }
end

function OPERATIONS.resolve(question)
  return { url = as_reply(library.resolve(as_text(question.base), as_text(question.reference))) }
end

function OPERATIONS.normalize(question)
  return { url = as_reply(library.normalize(as_text(question.url))) }
end

function OPERATIONS.equivalent(question)
  return { equal = library.equivalent(as_text(question.url), as_text(question.other)) }
end

-- Return the text of components that have the names of RFC 3986.
function OPERATIONS.recompose(question)
  if question.spec == "rfc1738" or question.spec == "rfc1808" then
    unsupported "the library has the components of RFC 3986"
  end
  local given = {}
  for _, name in ipairs { "scheme", "authority", "path", "query", "fragment" } do
    local component = question.components[name]
    if component ~= ABSENT and component ~= nil then
      given[name] = as_text(component)
    end
  end
  return { url = as_reply(library.recompose(given)) }
end

local function offers(operation)
  return library[operation] ~= nil or operation == "validate" and not library.lenient
end

local function version()
  local pipe = assert(io.popen("dpkg-query --show --showformat '${Version}' " .. library.package))
  local found = pipe:read "*a"
  pipe:close()
  return found
end

local function hello()
  local offered = {}
  for operation in pairs(OPERATIONS) do
    if offers(operation) then
      table.insert(offered, operation)
    end
  end
  return {
    type = "hello",
    protocol = 1,
    implementation = {
      name = NAME,
      version = version(),
      language = "lua",
      runtime = _VERSION,
      homepage = library.homepage,
    },
    ops = offered,
    specs = library.specs,
    modes = library.normalize and { "syntax", "scheme" } or nil,
    features = { "absent-vs-empty", not library.lenient and "validate-by-parse" or nil },
    window = 64,
  }
end

-- Return the reply to a question, without its id.
local function reply_to(question)
  local ok, reply = pcall(function()
    if not offers(question.op) then
      unsupported "the library has no such operation"
    end
    return OPERATIONS[question.op](question)
  end)
  if type(reply) ~= "table" then
    reply = { status = "error", message = tostring(reply) }
  elseif ok then
    reply.status = "ok"
  end
  if reply.message and not is_utf8(reply.message) then
    reply.message = reply.message:gsub("[\128-\255]", "?")
  end
  return reply
end

for line in io.lines() do
  if not is_utf8(line) then -- cjson would accept invalid UTF-8
    error "the input is not UTF-8"
  end
  local message = line:find "%S" and cjson.decode(line) or {}
  if message.type == "hello" then
    io.write(cjson.encode(hello()), "\n")
  elseif message.type == "run" then
    -- cjson writes only 14 digits of a number, and an id may have 16
    io.write(('{"id":%.0f,'):format(message.id), cjson.encode(reply_to(message)):sub(2), "\n")
  elseif message.type == "bye" then
    break
  end
  io.flush()
end
