# frozen_string_literal: true

# urlconform adapter for Ruby libraries: ruby adapter.rb LIBRARY RFCS
#
# RFCS is a JSON file. For each RFC, it contains the rules for a whole URL and the names of the components.
# Every answer comes from the library: the adapter only translates names, and does not correct any answer.

require 'json'
require_relative 'libraries'

# Answers the questions of the protocol with one library.
class Adapter
  # The adapter itself found that the text is invalid. For a refusal, the library raises its own exceptions.
  class Refusal < StandardError; end

  # Every library offers all of these.
  OPERATIONS = %w[validate parse resolve normalize equivalent recompose].freeze

  def initialize(name, rfcs)
    @name = name
    @library = LIBRARIES.fetch(name).call
    @rfcs = rfcs
  end

  def hello
    {
      type: 'hello',
      protocol: 1,
      implementation: implementation,
      ops: OPERATIONS,
      specs: @library.specs,
      features: %w[validate-by-parse absent-vs-empty],
      modes: %w[syntax scheme],
      window: 64
    }
  end

  # Returns the reply to a question, without its id.
  def answer(question)
    operation = question['op']
    raise Unsupported, 'the library has no such operation' unless OPERATIONS.include?(operation)

    { status: 'ok', **send(operation, question) }
  rescue Unsupported => e
    { status: 'unsupported', message: e.message }
  rescue Refusal, *@library.refusals => e
    { status: 'reject', message: utf8(e.message).scrub }
  rescue StandardError, SystemStackError => e
    { status: 'error', message: "#{e.class}: #{utf8(e.message).scrub[/.*/]}" }
  end

  private

  def implementation
    {
      name: @name,
      version: @library.version,
      language: 'ruby',
      runtime: "#{RUBY_ENGINE} #{RUBY_VERSION}",
      homepage: @library.homepage
    }
  end

  # Accepts a text if the library accepts it, and if it has the form that the rule requires.
  def validate(question)
    rule = rule_of(question)
    text = given(question['url'])
    scheme = @library.parse(text)['scheme']
    check_form(rule['form'], scheme)
    raise Refusal, 'it has a fragment' if !rule['fragment'] && text.include?('#')
    raise Refusal, "the scheme is #{scheme}" if rule['scheme'] && !rule['scheme'].casecmp?(scheme)

    {}
  end

  def check_form(form, scheme)
    raise Refusal, 'it has no scheme' if form == 'absolute' && scheme.nil?
    raise Refusal, 'it has a scheme' if form == 'relative' && scheme
  end

  # Returns the components under the names of the RFC.
  def parse(question)
    rule_of(question)
    parts = with_url_path(@library.parse(given(question['url'])))
    names = names_of(question['spec'], parts['scheme']).select { |_, part| parts.key?(part) }
    { components: names.transform_values { |part| shown(parts[part]) } }
  end

  # Adds the url-path of RFC 1738, which begins after the slash. Without a slash, it is absent.
  def with_url_path(parts)
    parts.key?('path') ? { 'url-path' => parts['path'][%r{\A/(.*)}m, 1], **parts } : parts
  end

  def resolve(question)
    { url: shown(@library.resolve(given(question['base']), given(question['reference']))) }
  end

  def normalize(question)
    { url: shown(@library.normalize(given(question['url']))) }
  end

  def equivalent(question)
    { equal: @library.equivalent(given(question['url']), given(question['other'])) }
  end

  # Returns the text of components that have the names of RFC 3986.
  def recompose(question)
    old = %w[rfc1738 rfc1808].include?(question['spec'])
    raise Unsupported, 'the library has the components of RFC 3986' if old

    { url: shown(@library.recompose(question['components'])) }
  end

  # Returns the form that the rule of a question requires, if it is a rule for whole URLs.
  def rule_of(question)
    spec = question['spec']
    @rfcs['rules'][spec].fetch(question['rule'] || @rfcs['default'][spec]) do
      raise Unsupported, 'the library knows whole URLs only'
    end
  end

  # Returns the names of the components of an RFC. Under RFC 1738, they depend on the scheme.
  def names_of(spec, scheme)
    named = @rfcs['components'][spec]
    named.fetch(scheme.to_s.downcase, named[''])
  end

  # Returns a text of a question. Bytes that are not Unicode become a binary string.
  def given(text)
    text.is_a?(Hash) ? [text['hex']].pack('H*') : text
  end

  # Returns a component or URL for a reply. Bytes that are not UTF-8 become an object with their hex digits.
  def shown(value)
    return if value.nil?

    text = utf8(value.to_s)
    text.valid_encoding? ? text : { hex: text.unpack1('H*') }
  end

  def utf8(text)
    text.dup.force_encoding(Encoding::UTF_8)
  end
end

name, path = ARGV
adapter = Adapter.new(name, JSON.parse(File.read(path, encoding: 'UTF-8')))
$stdin.set_encoding(Encoding::UTF_8)
$stdout.sync = true
$stdin.each_line do |line|
  message = line.strip.empty? ? {} : JSON.parse(line)
  case message['type']
  when 'hello' then puts JSON.generate(adapter.hello)
  when 'run' then puts JSON.generate({ id: message['id'], **adapter.answer(message) })
  when 'bye' then break
  end
end
