-- Print the accessors of a Lua library: `direct.lua LIBRARY`, one question and one answer a line.
-- Each library is called as its documentation does it; direct.toml names the page.

local json = require "cjson"

local libraries = {}

-- The texts that a function shows for names, with null in the place of nil.
local function with_null(names, show)
  local texts = {}
  for _, name in ipairs(names) do
    local text = show(name)
    texts[name] = text == nil and json.null or text
  end
  return texts
end

-- https://lunarmodules.github.io/luasocket/url.html
function libraries.luasocket()
  local url = require "socket.url"
  local names = {
    "scheme", "authority", "userinfo", "user", "password", "host", "port", "path", "params", "query", "fragment",
  }
  return {
    parse = function(text)
      local parts, message = url.parse(text)
      if not parts then
        return nil, message
      end
      return { accessors = with_null(names, function(name) return parts[name] end) }
    end,
    resolve = function(base, reference)
      return { url = url.absolute(base, reference) }
    end,
  }
end

-- https://geoffrichards.co.uk/lua/lua-uri/
libraries["lua-uri"] = function()
  local URI = require "uri"
  local names = { "scheme", "userinfo", "host", "port", "default_port", "path", "query", "fragment" }
  return {
    parse = function(text)
      local uri, message = URI:new(text)
      if not uri then
        return nil, message
      end
      return { accessors = with_null(names, function(name) return uri[name](uri) end) }
    end,
    resolve = function(base, reference)
      local uri, message = URI:new(reference, base)
      return uri and { url = uri:uri() }, message
    end,
    -- "all URIs are normalized when they are created"
    normalize = function(text)
      local uri, message = URI:new(text)
      return uri and { url = uri:uri() }, message
    end,
  }
end

local function answer(library, question)
  local call = library[question.op]
  if not call then
    return { offered = false }
  end
  local ran, shown, message
  if question.op == "resolve" then
    ran, shown, message = pcall(call, question.base, question.reference)
  else
    ran, shown, message = pcall(call, question.url)
  end
  -- lua-uri refuses invalid percent encodings by an error
  if not ran and tostring(shown):find("percent encoding", 1, true) then
    return { refused = tostring(shown) }
  end
  if not ran then
    return { failed = tostring(shown) }
  end
  return shown or { refused = message or "" }
end

local library = libraries[arg[1]]()
for line in io.lines() do
  print(json.encode(answer(library, json.decode(line))))
  io.flush()
end
