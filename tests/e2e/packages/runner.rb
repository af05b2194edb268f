# frozen_string_literal: true

# Judges the recorded answers of a library by the rules of RUNNER.md.
#
#   ruby runner.rb bundle/urlvectors-rfcNNNN.json answers/LIBRARY.jsonl
#
# prints for each case, in the order of the file of cases, one line
# {"id": ..., "outcome": ..., "variant": ...}. `variant` is "" unless the
# outcome is "variant".

require 'json'

# What one comparison (of an answer with an admitted answer) or a whole case
# comes to. `grade` is :right, :partial, :unsupported or :wrong.
Comparison = Struct.new(:grade, :variant) do
  # "The best of them counts, in this order, and *right* without a `variant`
  # is better than *right* with one."
  def rank
    return variant.empty? ? 0 : 1 if grade == :right

    { partial: 2, unsupported: 3, wrong: 4 }.fetch(grade)
  end
end

Outcome = Struct.new(:name, :variant)

# Texts, and how they are made independent of case.
module Text
  module_function

  # "Lower case is that of Unicode". A text that is not well-formed has no
  # lower case; it stays as it is, and so differs from every admitted text.
  def lower(text)
    text.valid_encoding? ? text.downcase : text
  end

  # Rule 12: "Of `authority` and `net_loc`, what follows the last `@` (or all,
  # if there is none) is compared in lower case, the rest as it is."
  def lower_host(authority)
    userinfo, at, host = authority.rpartition('@')
    userinfo + at + lower(host)
  end

  # "**Folding** a text", in its three sentences.
  def fold(text)
    return text unless text.valid_encoding?

    fold_before_slashes_and_host(text) || fold_before_colon(text) || text
  end

  # "if it has `//`, and none of `/`, `?` and `#` stands before the first
  # `//`, lower-case what stands before it and, of what follows it up to the
  # next `/`, `?` or `#`, all after the last `@` (or all, if there is none)."
  def fold_before_slashes_and_host(text)
    parts = text.match(%r{\A(?<before>[^/?#]*)//(?<authority>[^/?#]*)})
    parts && "#{lower(parts[:before])}//#{lower_host(parts[:authority])}#{parts.post_match}"
  end

  # "If the first condition does not hold, but the text has a colon and none
  # of `/`, `?` and `#` stands before the first colon, lower-case what stands
  # before this colon."
  def fold_before_colon(text)
    before = text[%r{\A[^/?#:]*(?=:)}]
    before && lower(before) + text[before.length..]
  end
end

# Compares one value of `components` with the admitted one.
class ComponentValues
  # `tells_apart`: does the library tell empty from absent?
  def initialize(tells_apart)
    @tells_apart = tells_apart
  end

  def equal?(name, expected, got)
    expected = absent_as_empty(name, expected)
    got = absent_as_empty(name, got)
    return equal_lists?(name, expected, got) if expected.is_a?(Array)

    equal_texts?(name, expected, got)
  end

  private

  # Rule 15: "If the library does not tell empty from absent, `null` equals
  # `""`".
  def absent_as_empty(_name, value)
    value.nil? && !@tells_apart ? '' : value
  end

  # Rule 13: "A list equals only a list of the same length with equal
  # elements".
  def equal_lists?(name, expected, got)
    got.is_a?(Array) && got.length == expected.length &&
      expected.zip(got).all? { |one, other| equal?(name, one, other) }
  end

  # Rule 13, outside of `decoded`: "hex is never equal to a text". Hex is a
  # Hash here, so that this needs no code.
  def equal_texts?(name, expected, got)
    return expected == got unless expected.is_a?(String) && got.is_a?(String)

    without_case(name, expected) == without_case(name, got)
  end

  # Rule 12: "`scheme` and `host` are equal if they are equal in lower case.
  # ... Nothing else ignores case."
  def without_case(name, text)
    case name
    when 'scheme', 'host' then Text.lower(text)
    when 'authority', 'net_loc' then Text.lower_host(text)
    else text
    end
  end
end

# Compares one part of `decoded` with the admitted one.
class DecodedValues < ComponentValues
  private

  # Rule 15: "... but not in the part `request` of `decoded`."
  def absent_as_empty(name, value)
    name == 'request' ? value : super
  end

  # Rule 13: "In `decoded`, in its lists too, texts are compared as bytes".
  def equal_texts?(name, expected, got)
    expected_bytes = bytes(expected)
    got_bytes = bytes(got)
    return expected == got unless expected_bytes && got_bytes

    without_case(name, expected_bytes) == without_case(name, got_bytes)
  end

  # The bytes of a text or of `{"hex": ...}`, nil of everything else.
  def bytes(value)
    case value
    when String then value.b
    when Hash then bytes_of_hex(value['hex'])
    end
  end

  def bytes_of_hex(digits)
    [digits].pack('H*') if digits.is_a?(String) && digits.match?(/\A(?:\h\h)+\z/)
  end

  # Rule 12: "In `decoded`, only ASCII letters are lower-cased, in hex too".
  def without_case(name, bytes)
    %w[scheme host].include?(name) ? bytes.downcase(:ascii) : bytes
  end
end

# Rule 17 and "**Derived authority**": the authority that follows from the
# userinfo, host and port of an answer, compared with the expected one.
class DerivedAuthority
  def initialize(components, expected, tells_apart)
    @parts = components.values_at('userinfo', 'host', 'port')
    @userinfo, @host, @port = @parts
    @all_there = %w[userinfo host port].all? { |name| components.key?(name) }
    @expected = expected
    @tells_apart = tells_apart
  end

  # :right, :blurred, :hidden or :wrong
  def state
    return :hidden unless derivable?
    return state_without_host if left_out?(@host)
    return :right if equal_as_joined?
    return :blurred if equal_with_empty_parts?

    :wrong
  end

  private

  # Step 1: "If one of them is missing, or is neither text nor `null`, the
  # authority is hidden."
  def derivable?
    @all_there && @parts.all? { |part| part.nil? || part.is_a?(String) }
  end

  # `null`, "if the library does not tell empty from absent, also ... `""`":
  # a host of this kind is that of step 2, userinfo and port those of step 3.
  def left_out?(part)
    part.nil? || (part.empty? && !@tells_apart)
  end

  # Step 2: "the authority is right if `null` is expected; blurred if `""` is
  # expected and the library does not tell them apart; otherwise hidden."
  def state_without_host
    return :right if @expected.nil?

    @expected == '' && !@tells_apart ? :blurred : :hidden
  end

  # Step 3: "join userinfo, `@`, host, `:` and port" without what is left out.
  def equal_as_joined?
    equals_expected?(userinfo_and_at, colon_and_port)
  end

  # Step 4: "where the userinfo was left out, try `@` before the host; where
  # the port was left out, try `:` after it; and both."
  def equal_with_empty_parts?
    return false if @tells_apart

    befores = left_out?(@userinfo) ? ['', '@'] : [userinfo_and_at]
    afters = left_out?(@port) ? ['', ':'] : [colon_and_port]
    befores.product(afters).any? { |before, after| equals_expected?(before, after) }
  end

  def userinfo_and_at
    left_out?(@userinfo) ? '' : "#{@userinfo}@"
  end

  def colon_and_port
    left_out?(@port) ? '' : ":#{@port}"
  end

  # Step 3: "right if the joined text has as many characters as the expected
  # one and equals it, with the host in lower case on both sides and the rest
  # as it is." The host of the expected text is what stands where the host of
  # the joined text does.
  def equals_expected?(before, after)
    return false unless @expected.is_a?(String)
    return false unless @expected.length == before.length + @host.length + after.length

    @expected.start_with?(before) && @expected.end_with?(after) &&
      Text.lower(@expected[before.length, @host.length]) == Text.lower(@host)
  end
end

# Compares an answer with one admitted answer, by the rules of its kind.
class AdmittedAnswer
  def initialize(admitted, ignore_case, tells_apart)
    @admitted = admitted
    @kind = admitted['kind']
    @ignore_case = ignore_case
    @tells_apart = tells_apart
  end

  def compare(answer)
    Comparison.new(grade(answer), @admitted['variant'])
  end

  # The readings of the URLs, if this is of kind `urls`, else nil.
  def readings
    @admitted['urls'] if @kind == 'urls'
  end

  private

  def grade(answer)
    answer['status'] == 'reject' ? grade_of_rejection : grade_of_ok(answer)
  end

  # Rule 2: "`reject` is right". Rule 3: "`reject` is wrong, here and for
  # every kind below."
  def grade_of_rejection
    right_if(@kind == 'reject')
  end

  def grade_of_ok(answer)
    case @kind
    when 'reject' then :wrong # rule 2: "`ok` is wrong"
    when 'accept' then :right # rule 3: "`ok` is right, whatever else the answer has"
    when 'same_document' then right_if(answer['same_document'] == true) # rule 4
    else grade_of_field(answer)
    end
  end

  # Rule 4: "`ok` without the field that the kind names is wrong."
  def grade_of_field(answer)
    return :wrong unless answer.key?(@kind)

    expected = @admitted[@kind]
    got = answer[@kind]
    case @kind
    when 'url' then right_if(equal_urls?(expected, got))
    when 'equal' then right_if(expected == got) # rule 6: "Equal truth values are right."
    when 'urls' then right_if(equal_lists_of_urls?(expected, got))
    when 'base' then grade_of_base(expected, got)
    when 'components' then grade_of_parts(ComponentValues.new(@tells_apart), expected, got)
    when 'decoded' then grade_of_parts(DecodedValues.new(@tells_apart), expected, got)
    end
  end

  def right_if(condition)
    condition ? :right : :wrong
  end

  # Rule 5: "Equal texts are right. If `ignore_case` is true, texts that are
  # equal after *folding* are right, too."
  def equal_urls?(expected, got)
    return false unless expected.is_a?(String) && got.is_a?(String)

    expected == got || (@ignore_case && Text.fold(expected) == Text.fold(got))
  end

  # Rule 7: "Right if the answer has as many URLs as the admitted answer and
  # each, in order, is in the list of readings for it."
  def equal_lists_of_urls?(expected, got)
    got.is_a?(Array) && got.length == expected.length &&
      got.zip(expected).all? { |url, readings| only_listed?(Readings.of(url), readings) }
  end

  # Rule 7: "all must be in the list, and there must be at least one."
  def only_listed?(given, readings)
    !given.empty? && (given - readings).empty?
  end

  # Rule 18: "`null` (no base) and `""` (the empty base) are compared by
  # rule 15. Other bases are compared by rule 5."
  def grade_of_base(expected, got)
    return right_if(equal_urls?(expected, got)) unless [nil, ''].include?(expected)
    return :wrong unless ComponentValues.new(@tells_apart).equal?('base', expected, got)

    blurred?('base') ? :partial : :right
  end

  # Rules 9 and 10: "Compare each component of the admitted answer ... Ignore
  # other components. If the answer has none of the listed components, it is
  # *unsupported*."
  def grade_of_parts(values, expected, got)
    return :wrong unless got.is_a?(Hash)
    return :unsupported if (expected.keys & got.keys).empty?

    sum(expected.map { |name, value| state_of_part(values, name, value, got) })
  end

  # Rule 16: "If a component is wrong, the comparison is *wrong*. Otherwise,
  # if one is hidden or blurred, it is *partial*. Otherwise it is *right*."
  def sum(states)
    return :wrong if states.include?(:wrong)

    states.all?(:right) ? :right : :partial
  end

  # :right, :blurred, :hidden or :wrong. Rule 11: "A component ... that the
  # answer does not have is *hidden*", but see rule 17 for `authority`.
  def state_of_part(values, name, expected, got)
    return state_of_missing_part(name, expected, got) unless got.key?(name)
    return :wrong unless equal_part?(values, name, expected, got[name])

    blurred?(name) ? :blurred : :right
  end

  # Rule 17: "If `authority` is listed and the answer does not have it, derive
  # it". It is for kind `components` only (rule 10), but no part of `decoded`
  # has this name.
  def state_of_missing_part(name, expected, got)
    return :hidden unless name == 'authority' && @kind == 'components'

    DerivedAuthority.new(got, expected, @tells_apart).state
  end

  # Rule 14: "`or_empty` names components that are `null` in the admitted
  # answer; `""` is right for them, too."
  def equal_part?(values, name, expected, got)
    (got == '' && names('or_empty').include?(name)) || values.equal?(name, expected, got)
  end

  # Rule 15: "A component that `empty` names is then *blurred* unless it is
  # wrong, even if the answer has `""`. If the library tells them apart,
  # `empty` means nothing."
  def blurred?(name)
    !@tells_apart && names('empty').include?(name)
  end

  def names(field)
    @admitted.fetch(field, [])
  end
end

# The readings of one URL of `urls`: the library gives a text, or a list.
module Readings
  module_function

  def of(url)
    url.is_a?(Array) ? url : [url]
  end
end

# Judges the answer to one case.
class Judge
  # Rule 1
  NO_ANSWER = %w[unsupported error timeout crash garbage no-answer].freeze

  def initialize(test_case, tells_apart)
    @unlisted = test_case['unlisted']
    @admitted = test_case['answers'].map do |admitted|
      AdmittedAnswer.new(admitted, test_case['ignore_case'], tells_apart)
    end
  end

  # Rule 1: "The outcome ... is that word, whatever the case admits."
  def outcome(answer)
    return Outcome.new(answer['status'], '') if NO_ANSWER.include?(answer['status'])

    outcome_of(best_with_first_readings(answer) || best_comparison(answer))
  end

  private

  # "Go through `answers` in order. ... The best of them counts ... Of equals
  # the first counts." (`min_by` of Ruby returns the first of equals.)
  def best_comparison(answer)
    @admitted.map { |admitted| admitted.compare(answer) }.min_by(&:rank)
  end

  # Rule 8: nil if it does not apply, else the best after "keep the first
  # reading of each URL and compare again".
  def best_with_first_readings(answer)
    return unless answer['status'] == 'ok' && answer['urls'].is_a?(Array)
    return unless best_comparison(answer).grade == :wrong
    return unless each_reading_admitted?(answer['urls'])

    first_readings = answer['urls'].map { |url| Readings.of(url).first }
    best_comparison(answer.merge('urls' => first_readings))
  end

  # Rule 8: "take the admitted answers with as many URLs as the answer. If
  # there are some, and each URL of the answer has at least one reading and
  # only readings that one of these lists for that URL".
  def each_reading_admitted?(urls)
    lists = @admitted.filter_map(&:readings).select { |list| list.length == urls.length }
    return false if lists.empty?

    urls.each_with_index.all? do |url, index|
      given = Readings.of(url)
      !given.empty? && (given - lists.flat_map { |list| list[index] }).empty?
    end
  end

  # Rule 19 of what is listed, rule 20 of *wrong*.
  def outcome_of(comparison)
    case comparison.grade
    when :right then outcome_of_right(comparison.variant)
    when :wrong then outcome_of_wrong
    else Outcome.new(comparison.grade.to_s, '')
    end
  end

  # Rule 19: "*right* is `pass` if `variant` of the admitted answer is empty,
  # else `variant` with this name."
  def outcome_of_right(variant)
    Outcome.new(variant.empty? ? 'pass' : 'variant', variant)
  end

  # Rule 20: "*wrong* is the outcome in `unlisted`: `fail`, or `variant` with
  # the name `other`."
  def outcome_of_wrong
    Outcome.new(@unlisted, @unlisted == 'variant' ? 'other' : '')
  end
end

# A file of recorded answers: what the library says of itself, and a line for
# each case.
class RecordedAnswers
  attr_reader :tells_apart

  def initialize(path)
    first, *rest = File.foreach(path, encoding: Encoding::UTF_8).map { |line| JSON.parse(line) }
    @tells_apart = first.fetch('tells_empty_from_absent')
    @answers = rest.to_h { |line| [line.fetch('id'), line.fetch('answer')] }
  end

  # A case without a line was not answered.
  def [](id)
    @answers.fetch(id, { 'status' => 'no-answer' })
  end
end

# Reads the cases, judges their answers and prints the outcomes.
class Runner
  def initialize(cases_path, answers_path)
    @cases = JSON.parse(File.read(cases_path, encoding: Encoding::UTF_8)).fetch('cases')
    @answers = RecordedAnswers.new(answers_path)
  end

  def print_outcomes(out)
    @cases.each { |test_case| out.puts(JSON.generate(line(test_case))) }
  end

  private

  def line(test_case)
    id = test_case.fetch('id')
    outcome = Judge.new(test_case, @answers.tells_apart).outcome(@answers[id])
    { 'id' => id, 'outcome' => outcome.name, 'variant' => outcome.variant }
  end
end

if $PROGRAM_NAME == __FILE__
  abort "usage: ruby #{$PROGRAM_NAME} CASES.json ANSWERS.jsonl" unless ARGV.length == 2

  Runner.new(*ARGV).print_outcomes($stdout)
end
