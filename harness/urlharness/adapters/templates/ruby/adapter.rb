# frozen_string_literal: true

# An adapter for urlconform, protocol 1: questions on stdin, answers on stdout, one JSON object per line.

require 'json'
require 'uri'

HELLO = {
  type: 'hello',
  protocol: 1,
  window: 64,
  ops: %w[validate parse resolve],
  specs: %w[rfc3986], # the RFCs that it claims
  implementation: { name: 'URI', version: RUBY_VERSION, language: 'ruby' },
  # "absent-vs-empty": it distinguishes http://h from http://h?
  features: %w[validate-by-parse absent-vs-empty]
}.freeze
UNSUPPORTED = {
  status: 'unsupported',
  message: 'not this operation, specification, rule or bytes'
}.freeze

# Your library goes here: nil is absent, "" is present but empty; leave out what it does not have.
def answer(question)
  case question
  in { op: 'resolve', base: String => base, reference: String => reference }
    { status: 'ok', url: URI.join(base, reference).to_s }
  in { op: 'validate' | 'parse', spec: 'rfc2396' | 'rfc2732' | 'rfc3986', url: String => url }
    split(url, question[:op], question.fetch(:rule, 'URI-reference'))
  else
    UNSUPPORTED
  end
end

def split(url, operation, rule)
  return UNSUPPORTED unless %w[URI URI-reference].include?(rule)

  scheme, userinfo, host, port, _, path, opaque, query, fragment = URI.split(url)
  return { status: 'reject', message: 'no scheme' } if rule == 'URI' && scheme.nil?
  return { status: 'ok' } if operation == 'validate'

  path = opaque || path
  { status: 'ok', components: { scheme:, userinfo:, host:, port:, path:, query:, fragment: } }
end

# Answers a question; an exception fails only this question.
def reply(question)
  answer(question)
rescue URI::Error => e
  { status: 'reject', message: e.message }
rescue StandardError, SystemStackError => e
  { status: 'error', message: "#{e.class}: #{e.message}" }
end

$stdout.sync = true
$stdin.each_line do |line|
  next if line.strip.empty?

  message = JSON.parse(line, symbolize_names: true)
  break if message[:type] == 'bye'

  found = message[:type] == 'hello' ? HELLO : reply(message)
  puts JSON.generate({ **found, id: message[:id] })
end
