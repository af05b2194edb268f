# An adapter for urlconform, protocol 1: questions on stdin, answers on stdout, one JSON object per line.
require "json"
require "uri"

HELLO = {
  type: "hello", protocol: 1, window: 64, ops: %w[validate parse resolve], specs: %w[rfc3986],
  implementation: { name: "URI", version: RUBY_VERSION, language: "ruby" },
  features: %w[validate-by-parse absent-vs-empty] # it distinguishes http://h from http://h?
}

# Your library goes here: nil is absent, "" is present but empty; leave out what it does not have.
def answer(op:, spec:, rule: "URI-reference", url: nil, base: nil, reference: nil, **)
  known = %w[rfc2396 rfc2732 rfc3986].include?(spec) && %w[URI URI-reference].include?(rule)
  texts = op == "resolve" ? [base, reference] : [url]
  unless texts.all?(String) && (op == "resolve" || (%w[validate parse].include?(op) && known))
    return { status: "unsupported", message: "not this operation, specification, rule or bytes" }
  end
  return { status: "ok", url: URI.join(base, reference).to_s } if op == "resolve"

  scheme, userinfo, host, port, _, path, opaque, query, fragment = URI.split(url)
  return { status: "reject", message: "no scheme" } if rule == "URI" && scheme.nil?
  return { status: "ok" } if op == "validate"

  { status: "ok", components: { scheme: scheme, userinfo: userinfo, host: host, port: port,
                                path: opaque || path, query: query, fragment: fragment } }
rescue URI::Error => e
  { status: "reject", message: e.message }
rescue StandardError, SystemStackError => e # an exception fails only this question
  { status: "error", message: "#{e.class}: #{e.message}" }
end

$stdout.sync = true
$stdin.each_line do |line|
  message = line.strip.empty? ? {} : JSON.parse(line, symbolize_names: true)
  break if message[:type] == "bye"

  puts JSON.generate(HELLO) if message[:type] == "hello"
  puts JSON.generate({ **answer(**message), id: message[:id] }) if message[:type] == "run"
end
