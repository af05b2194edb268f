# Print the accessors of URI, one question and one answer a line.
# https://crystal-lang.org/api/URI.html

require "json"
require "uri"

def accessors(uri : URI)
  {
    scheme: uri.scheme, authority: uri.authority, userinfo: uri.userinfo, user: uri.user, password: uri.password,
    host: uri.host, hostname: uri.hostname, port: uri.port, path: uri.path, query: uri.query, fragment: uri.fragment,
  }
end

def shown(question : JSON::Any)
  case question["op"].as_s
  when "parse"
    {accessors: accessors(URI.parse(question["url"].as_s))}
  when "resolve"
    {url: URI.parse(question["base"].as_s).resolve(question["reference"].as_s).to_s}
  else
    {url: URI.parse(question["url"].as_s).normalize.to_s}
  end
end

def answer(question : JSON::Any)
  shown(question)
rescue refusal : URI::Error
  {refused: refusal.message}
rescue failure
  {failed: "#{failure.class}: #{failure.message}"}
end

STDIN.each_line { |line| puts answer(JSON.parse(line)).to_json }
