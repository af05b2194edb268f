# urlconform adapter for Crystal libraries: `adapter LIBRARY RFCS`.
#
# RFCS is a JSON file. For each RFC, it contains the rules for a whole URL and the names of the components.
# Every answer comes from the library: the adapter only translates names, and does not correct any answer.

require "json"
require "uri"

# The reason why the library has no answer.
class Unsupported < Exception
end

# A text that does not have the form that the rule requires.
class Refused < Exception
end

# A text of a reply. If it is not Unicode, it is an object with the hex digits. An absent component is nil.
alias Text = String | Hash(String, String) | Nil

# The fields of a reply.
alias Fields = Hash(String, Text | Hash(String, Text) | JSON::Any)

# The form that a grammar rule requires of a whole URL: absolute, relative or reference.
record Rule, form : String, fragment : Bool, scheme : String? do
  include JSON::Serializable
end

# The content of the file RFCS. The keys of each map are RFCs.
record Rfcs,
  default : Hash(String, String),
  rules : Hash(String, Hash(String, Rule)),
  components : Hash(String, Hash(String, Hash(String, String))) do
  include JSON::Serializable
end

# Answers the questions of the protocol with URI of the standard library.
class Adapter
  def initialize(@rfcs : Rfcs)
  end

  def hello
    {
      type:           "hello",
      protocol:       1,
      implementation: {
        name:     "crystal-uri",
        version:  Crystal::VERSION,
        language: "crystal",
        runtime:  "Crystal #{Crystal::VERSION}",
        homepage: "https://crystal-lang.org/api/URI.html",
      },
      ops:      %w(validate parse resolve normalize recompose),
      specs:    %w(rfc3986),
      features: %w(absent-vs-empty validate-by-parse),
      modes:    %w(syntax scheme),
      window:   64,
    }
  end

  # Returns the reply to a question.
  def reply(question)
    fields = begin
      answer(question).merge({"status" => "ok"})
    rescue error : URI::Error | Refused
      failure("reject", error.message)
    rescue error : Unsupported
      failure("unsupported", error.message)
    rescue error
      failure("error", "#{error.class}: #{error.message}")
    end
    fields.merge({"id" => question["id"]})
  end

  private def failure(status, message)
    Fields{"status" => status, "message" => message}
  end

  private def answer(question)
    case question["op"]
    when "validate"  then validate(question)
    when "parse"     then parse(question)
    when "resolve"   then found(uri(question, "base").resolve(uri(question, "reference")))
    when "normalize" then found(uri(question).normalize)
    when "recompose" then found(recompose(question))
    else                  raise Unsupported.new("the library has no such operation")
    end
  end

  # Accepts a text if the library accepts it, and if it has the form that the rule requires.
  private def validate(question)
    rule = rule(question)
    scheme = uri(question).scheme
    raise Refused.new("it has no scheme") if rule.form == "absolute" && !scheme
    raise Refused.new("it has a scheme") if rule.form == "relative" && scheme
    raise Refused.new("it has a fragment") if !rule.fragment && text(question["url"]).includes?('#')
    raise Refused.new("the scheme is #{scheme}") if rule.scheme && scheme.try(&.downcase) != rule.scheme
    Fields.new
  end

  # Returns the components under the names of the RFC.
  private def parse(question)
    rule(question)
    parts = parts(uri(question))
    names = @rfcs.components[question["spec"].as_s]
    own = names[parts["scheme"].try(&.downcase)]? || names[""]
    known = own.select { |_, part| parts.has_key?(part) }
    Fields{"components" => known.transform_values { |part| shown(parts[part]) }}
  end

  # Returns the components as the library shows them. User, password and host are decoded.
  private def parts(uri)
    {
      "scheme"    => uri.scheme,
      "authority" => uri.authority,
      "userinfo"  => uri.userinfo,
      "user"      => uri.user,
      "password"  => uri.password,
      "host"      => uri.host,
      "port"      => uri.port.try(&.to_s),
      "path"      => uri.path,
      "url-path"  => uri.path.starts_with?('/') ? uri.path.lchop : nil,
      "query"     => uri.query,
      "fragment"  => uri.fragment,
    }
  end

  # Returns the URI of components that have the names of RFC 3986. The library needs some of them decoded.
  private def recompose(question)
    if question["spec"].as_s.in?("rfc1738", "rfc1808")
      raise Unsupported.new("the library has the components of RFC 3986")
    end
    given = question["components"].as_h.transform_values { |value| text(value) if value.raw }
    user, colon, password = given["userinfo"]?.try(&.partition(':')) || {nil, "", nil}
    URI.new(
      scheme: given["scheme"]?,
      host: given["host"]?.try { |host| URI.decode(host) },
      port: port_number(given["port"]?),
      path: given["path"]? || "",
      query: given["query"]?,
      user: user.try { |one| URI.decode_www_form(one) },
      password: colon.empty? ? nil : password.try { |one| URI.decode_www_form(one) },
      fragment: given["fragment"]?,
    )
  end

  private def port_number(port)
    return if port.nil? || port.empty?
    port.to_i? || raise Unsupported.new("the port is too big for the library")
  end

  # Returns the rule of a question. Raises Unsupported if it is not a rule for whole URLs.
  private def rule(question)
    spec = question["spec"].as_s
    name = question["rule"]?.try(&.as_s) || @rfcs.default[spec]
    @rfcs.rules[spec][name]? || raise Unsupported.new("the library knows whole URLs only")
  end

  private def uri(question, name = "url")
    URI.parse(text(question[name]))
  end

  private def found(uri)
    Fields{"url" => shown(uri.to_s)}
  end

  # Returns a text of a question. If it is not Unicode, the question contains an object with the hex digits.
  private def text(value)
    value.as_s? || String.new(value["hex"].as_s.hexbytes)
  end

  private def shown(text) : Text
    text.nil? || text.valid_encoding? ? text : {"hex" => text.to_slice.hexstring}
  end
end

# Answers the messages on stdin, one JSON object per line.
def serve(adapter)
  STDIN.each_line do |line|
    next if line.blank?
    message = JSON.parse(line)
    case message["type"]?
    when "hello" then puts adapter.hello.to_json
    when "run"   then puts adapter.reply(message).to_json
    when "bye"   then break
    end
    STDOUT.flush
  end
end

abort "usage: adapter LIBRARY RFCS" unless ARGV.size == 2
name, path = ARGV
abort "no library #{name}" unless name == "crystal-uri"
serve(Adapter.new(Rfcs.from_json(File.read(path))))
