package urlconform

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// octets is a text that is not well-formed UTF-8. In JSON it is an object with
// hex digits. All other texts are strings.
type octets string

// text returns a text as a value of JSON.
func text(s string) any {
	if utf8.ValidString(s) {
		return s
	}
	return octets(s)
}

// jsonValue returns what a library answered as a value of JSON: nil, bool,
// string, octets, []any or map[string]any. It panics if a library answers with
// another type.
func jsonValue(v any) any {
	switch v := v.(type) {
	case nil, bool:
		return v
	case string:
		return text(v)
	case *string:
		if v == nil {
			return nil
		}
		return text(*v)
	case []byte:
		return text(string(v))
	case []string:
		return jsonList(v)
	case [2]string:
		return jsonList(v[:])
	case [][2]string:
		return jsonList(v)
	case [][]string:
		return jsonList(v)
	case []any:
		return jsonList(v)
	case Components:
		return jsonObject(v)
	case Decoded:
		return jsonObject(v)
	}
	panic(fmt.Sprintf("urlconform: an answer cannot have a %T", v))
}

func jsonList[T any](list []T) []any {
	values := make([]any, len(list))
	for i, element := range list {
		values[i] = jsonValue(element)
	}
	return values
}

func jsonObject(parts map[string]any) map[string]any {
	values := make(map[string]any, len(parts))
	for name, part := range parts {
		values[name] = jsonValue(part)
	}
	return values
}

// decodeValue decodes JSON, with octets for hex.
func decodeValue(data []byte) (any, error) {
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return nil, err
	}
	return withOctets(v)
}

// withOctets returns a decoded value with octets for each object of hex.
func withOctets(v any) (any, error) {
	switch v := v.(type) {
	case []any:
		for i, element := range v {
			converted, err := withOctets(element)
			if err != nil {
				return nil, err
			}
			v[i] = converted
		}
	case map[string]any:
		if digits, ok := v["hex"].(string); ok && len(v) == 1 {
			decoded, err := hex.DecodeString(digits)
			return octets(decoded), err
		}
		for name, member := range v {
			converted, err := withOctets(member)
			if err != nil {
				return nil, err
			}
			v[name] = converted
		}
	}
	return v, nil
}

// equalValues reports whether two values of JSON are the same.
func equalValues(a, b any) bool {
	return bytes.Equal(appendJSON(nil, a), appendJSON(nil, b))
}

// appendJSON appends a value as the command urlconform writes it: in ASCII, with
// sorted names, and blanks after colons and commas.
func appendJSON(data []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return appendString(data, v)
	case octets:
		return append(appendString(append(data, `{"hex": `...), hex.EncodeToString([]byte(v))), '}')
	case []any:
		data = append(data, '[')
		for i, element := range v {
			data = appendJSON(appendComma(data, i), element)
		}
		return append(data, ']')
	case map[string]any:
		data = append(data, '{')
		for i, name := range sortedKeys(v) {
			data = append(appendString(appendComma(data, i), name), ": "...)
			data = appendJSON(data, v[name])
		}
		return append(data, '}')
	}
	encoded, err := json.Marshal(v)
	if err != nil {
		panic(err) // a value of JSON has no other types
	}
	return append(data, encoded...)
}

func appendComma(data []byte, i int) []byte {
	if i == 0 {
		return data
	}
	return append(data, ", "...)
}

var shortEscapes = map[rune]string{
	'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`,
}

func appendString(data []byte, s string) []byte {
	data = append(data, '"')
	for _, r := range s {
		if escape, ok := shortEscapes[r]; ok {
			data = append(data, escape...)
		} else if ' ' <= r && r <= '~' {
			data = append(data, byte(r))
		} else if first, second := utf16.EncodeRune(r); first != utf8.RuneError {
			data = fmt.Appendf(data, `\u%04x\u%04x`, first, second)
		} else {
			data = fmt.Appendf(data, `\u%04x`, r)
		}
	}
	return append(data, '"')
}

const (
	longestText   = 1024 // in characters, or hex digits; a longer text is abbreviated
	keptBeginning = 80
)

// abbreviated returns a value with its long texts abbreviated: their beginning,
// their length and their SHA-256.
func abbreviated(v any) any {
	switch v := v.(type) {
	case string:
		characters := utf8.RuneCountInString(v)
		if characters <= longestText {
			return v
		}
		return abbreviation(string([]rune(v)[:keptBeginning]), characters, "characters", v)
	case octets:
		digits := hex.EncodeToString([]byte(v))
		if len(digits) <= longestText {
			return v
		}
		return abbreviation("hex "+digits[:keptBeginning], len(v), "bytes", string(v))
	case []any:
		short := make([]any, len(v))
		for i, element := range v {
			short[i] = abbreviated(element)
		}
		return short
	case map[string]any:
		short := make(map[string]any, len(v))
		for name, member := range v {
			short[name] = abbreviated(member)
		}
		return short
	}
	return v
}

func abbreviation(beginning string, length int, unit, content string) string {
	return fmt.Sprintf("%s… (%s %s, SHA-256 %x)", beginning, withCommas(length), unit, sha256.Sum256([]byte(content)))
}

// withCommas returns a number with a comma between each three digits.
func withCommas(number int) string {
	digits := fmt.Sprint(number)
	var groups []string
	for len(digits) > 3 {
		groups = append([]string{digits[len(digits)-3:]}, groups...)
		digits = digits[:len(digits)-3]
	}
	return strings.Join(append([]string{digits}, groups...), ",")
}
