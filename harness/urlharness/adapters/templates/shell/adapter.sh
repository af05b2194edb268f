#!/usr/bin/env bash
# An adapter for urlconform, protocol 1: questions on stdin, answers on stdout, one JSON object per line.
# A library of IRIs adds "rfc3987" to specs, and to ops "to_uri" and "to_iri", whose answers have a url.
#
# A first jq (1.6 or later) makes each question a line of fields, a second one makes each answer JSON.
# A field is + and its text, with backslashes as printf %b reads them, or - where there is none.
set -u
export LC_ALL=C

hello='{
	"type": "hello",
	"protocol": 1,
	"window": 64,
	"ops": ["parse"],
	"specs": ["rfc3986"],
	"features": ["absent-vs-empty"],
	"implementation": {
		"name": "splitter of the template",
		"version": "1",
		"language": "shell"
	}
}'
split='^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?$' # RFC 3986, appendix B
login='^((.*)@)?(\[[^]]*\]|[^:]*)(:(.*))?$'

# component NAME DELIMITED TEXT: the component is absent if DELIMITED, its text with the delimiter, is empty
component() {
	local text=${3//\\/\\\\}
	text=${text//$'\t'/\\t}
	text=${text//$'\n'/\\n}
	text=${text//$'\r'/\\r}
	if [ -n "$2" ]; then
		printf '\t%s\t+%s' "$1" "$text"
	else
		printf '\t%s\t-' "$1"
	fi
}

# Your library goes here: - is absent, + is present but empty; leave out what it does not have.
# One that can refuse prints reject; then "validate" belongs into ops, too.
# answer OP SPEC RULE URL
answer() {
	local url
	if [[ $1 != +parse || $2 != +rfc@(2396|2732|3986|3987) || $3 != - || $4 != +* ]]; then
		printf unsupported
		return
	fi
	printf -v url %b "${4#+}"
	[[ $url =~ $split ]] && printf ok
	component scheme "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
	component path there "${BASH_REMATCH[5]}"
	component query "${BASH_REMATCH[6]}" "${BASH_REMATCH[7]}"
	component fragment "${BASH_REMATCH[8]}" "${BASH_REMATCH[9]}"
	local slashes=${BASH_REMATCH[3]}
	[[ ${BASH_REMATCH[4]} =~ $login ]]
	component userinfo "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
	component host "$slashes" "${BASH_REMATCH[3]}"
	component port "${BASH_REMATCH[4]}" "${BASH_REMATCH[5]}"
}

questions() {
	jq --unbuffered -r '
		def field:
			if . == null then "-"
			elif type == "string" and (explode | index(0) | not) then "+" + .
			else "!" end;
		[.type, (.id | tostring), (.op, .spec, .rule, .url | field)] | @tsv'
}

answers() {
	jq --unbuffered -cR --argjson hello "$hello" '
		def text: gsub("\\\\(?<c>.)"; {n: "\n", t: "\t", r: "\r"}[.c] // .c);
		def value: if . == "-" then null else .[1:] | text end;
		def components: [range(0; length; 2) as $at | {key: .[$at], value: .[$at + 1] | value}] | from_entries;
		split("\t")
		| if .[0] == "hello" then $hello
			else {id: .[0] | tonumber, status: .[1]}
				+ (.[2:] | if . == [] then {} else {components: components} end) end'
}

while IFS=$'\t' read -r type id op spec rule url && [ "$type" != bye ]; do
	if [ "$type" = hello ]; then
		printf hello
	else
		printf '%s\t' "$id"
		answer "$op" "$spec" "$rule" "$url"
	fi
	echo
done < <(questions) | answers
