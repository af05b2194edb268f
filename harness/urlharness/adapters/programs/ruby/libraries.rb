# frozen_string_literal: true

# The libraries: one class for each, with methods that take and return texts.
#
# `parse` returns the components as the library shows them, by the names of RFC 3986. Components that the
# library does not expose are left out, and nil means absent. The methods raise one of `refusals` for a text
# that the library refuses.

# The library has no answer to the question.
class Unsupported < StandardError; end

# The module URI of Ruby, with one of its two parsers.
class StandardURI
  COMPONENTS = %w[scheme userinfo user password host query fragment].freeze

  attr_reader :specs

  def initialize(parser, specs)
    require 'uri'
    @parser = URI.const_get(parser).new
    @specs = specs
  end

  def version
    URI::VERSION
  end

  def homepage
    'https://rubygems.org/gems/uri'
  end

  def refusals
    [URI::Error]
  end

  def parse(text)
    uri = @parser.parse(text)
    COMPONENTS.to_h { |name| [name, uri.public_send(name)] }.merge(port_of(uri), path_of(uri))
  end

  def resolve(base, reference)
    @parser.join(base, reference).to_s
  end

  def normalize(text)
    @parser.parse(text).normalize.to_s
  end

  def equivalent(one, other)
    @parser.parse(one) == @parser.parse(other)
  end

  def recompose(given)
    scheme, userinfo, host, port, fragment = given.values_at('scheme', 'userinfo', 'host', 'port', 'fragment')
    raise Unsupported, 'the library has no authority without a host' if given['authority'] && host.nil?

    path, query = given.values_at('path', 'query')
    # After a scheme, the class requires that a path begins with a slash. Anything else is an opaque part.
    if scheme && host.nil? && path.match?(%r{\A[^/]})
      opaque = [path, query].compact.join('?')
      path = query = nil
    end
    check = true
    URI::Generic.new(scheme, userinfo, host, port, nil, path, opaque, query, fragment, @parser, check).to_s
  end

  private

  # Leaves out the default port of the scheme, because the library also shows it if the URI has no port.
  def port_of(uri)
    return {} if uri.port && uri.port == uri.default_port

    { 'port' => uri.port }
  end

  # The class FTP shows its path as the url-path of RFC 1738, without the slash before it.
  def path_of(uri)
    return { 'path' => uri.path, 'url-path' => uri.path } if uri.is_a?(URI::FTP)

    # Most opaque URIs have no path, and the opaque part is what RFC 3986 calls the path.
    { 'path' => uri.path || uri.opaque }
  end
end

# Gem addressable.
class AddressableURI
  COMPONENTS = %w[scheme authority userinfo user password host port path query fragment].freeze

  def initialize
    require 'addressable/uri'
  end

  def version
    Addressable::VERSION::STRING
  end

  def homepage
    'https://rubygems.org/gems/addressable'
  end

  def specs
    %w[rfc3986 rfc3987]
  end

  def refusals
    [Addressable::URI::InvalidURIError]
  end

  def parse(text)
    uri = Addressable::URI.parse(text)
    COMPONENTS.to_h { |name| [name, uri.public_send(name)] }
  end

  def resolve(base, reference)
    Addressable::URI.join(base, reference).to_s
  end

  def normalize(text)
    Addressable::URI.parse(text).normalize.to_s
  end

  def equivalent(one, other)
    Addressable::URI.parse(one) == Addressable::URI.parse(other)
  end

  def recompose(given)
    parts = given.slice('scheme', 'authority', 'path', 'query', 'fragment')
    Addressable::URI.new(parts.transform_keys(&:to_sym)).to_s
  end
end

# With either parser, the module documents RFC 2396 (uri 0.11.0, uri.rb, line 3; uri/generic.rb, line 19), and
# URI::Generic#merge, which resolves, names its section 5.2 at each step (lines 992 to 1133). The parser of RFC
# 3986 is named after that RFC.
LIBRARIES = {
  'ruby-uri' => -> { StandardURI.new(:RFC3986_Parser, %w[rfc2396 rfc3986]) },
  'ruby-uri-2396' => -> { StandardURI.new(:RFC2396_Parser, %w[rfc2396 rfc2732]) },
  'addressable' => -> { AddressableURI.new }
}.freeze
