# frozen_string_literal: true

# An adapter for urlconform, protocol 1: questions on stdin, answers on stdout, one JSON object per line.
# A library of IRIs adds "rfc3987" to specs, and to ops "to_uri" and "to_iri", whose answers have a url.

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
PARTS = %i[scheme userinfo host port registry path opaque query fragment].freeze

def unsupported(why)
  { status: 'unsupported', message: why }
end

# Your library goes here: nil is absent, "" is present but empty; leave out what it does not have.
def answer(question)
  texts = question.values_at(:url, :base, :reference).compact
  return unsupported('bytes that are no text') unless texts.all?(String)

  case question[:op]
  when 'resolve' then { status: 'ok', url: URI.join(*texts).to_s }
  when 'validate', 'parse' then split(question)
  else unsupported('not this operation')
  end
end

SPECS = %w[rfc2396 rfc2732 rfc3986 rfc3987].freeze
RULES = [nil, 'URI', 'URI-reference', 'IRI', 'IRI-reference'].freeze

def known?(question)
  SPECS.include?(question[:spec]) && RULES.include?(question[:rule])
end

def split(question)
  return unsupported('not this RFC or rule') unless known?(question)

  parts = PARTS.zip(URI.split(question[:url])).to_h
  needs_scheme = %w[URI IRI].include?(question[:rule])
  return { status: 'reject', message: 'no scheme' } if needs_scheme && parts[:scheme].nil?
  return { status: 'ok' } if question[:op] == 'validate'

  parts[:path] = parts[:opaque] || parts[:path]
  { status: 'ok', components: parts.except(:registry, :opaque) }
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
