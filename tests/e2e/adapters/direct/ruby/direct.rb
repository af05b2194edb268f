# Print the accessors of a Ruby library: `direct.rb LIBRARY`, one question and one answer a line.
# Each library is called as its documentation does it; direct.toml names the page.

require "json"

# The accessors of URI::Generic, and its methods merge and normalize. The parser is given.
class StandardLibrary
  ACCESSORS = %i[scheme userinfo user password host hostname port default_port registry path opaque query fragment]

  def initialize(parser)
    @parser = parser
  end

  def parse(url)
    uri = @parser.parse(url)
    ACCESSORS.to_h { |name| [name, uri.public_send(name)] }
  end

  def resolve(base, reference)
    @parser.parse(base).merge(@parser.parse(reference)).to_s
  end

  def normalize(url)
    @parser.parse(url).normalize.to_s
  end

  def refusals
    [URI::Error]
  end
end

# Addressable::URI.
class AddressableLibrary
  ACCESSORS = %i[scheme authority userinfo user password host hostname port inferred_port path query fragment]

  def parse(url)
    uri = Addressable::URI.parse(url)
    ACCESSORS.to_h { |name| [name, uri.public_send(name)] }
  end

  def resolve(base, reference)
    Addressable::URI.join(base, reference).to_s
  end

  def normalize(url)
    Addressable::URI.parse(url).normalize.to_s
  end

  def refusals
    [Addressable::URI::InvalidURIError]
  end
end

def load_library(name)
  case name
  when "ruby-uri"
    require "uri"
    StandardLibrary.new(URI)
  when "ruby-uri-2396"
    require "uri"
    StandardLibrary.new(URI::RFC2396_Parser.new)
  when "addressable"
    require "addressable/uri"
    AddressableLibrary.new
  end
end

def answer(library, question)
  return {offered: false} unless library.respond_to?(question["op"])

  texts = question.slice("url", "base", "reference").values
  shown = library.public_send(question["op"], *texts)
  question["op"] == "parse" ? {accessors: shown} : {url: shown}
rescue *library.refusals => refusal
  {refused: refusal.message}
rescue => failure
  {failed: "#{failure.class}: #{failure.message}"}
end

library = load_library(ARGV.fetch(0))
$stdin.set_encoding("UTF-8")
$stdin.each_line { |line| puts JSON.generate(answer(library, JSON.parse(line))) }
