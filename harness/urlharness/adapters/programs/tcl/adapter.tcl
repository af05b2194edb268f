# urlconform adapter for Tcl libraries: tclsh adapter.tcl LIBRARY RFCS
#
# RFCS is a JSON file. For each RFC, it contains the rules for a whole URL and the names of the components.
# Every answer comes from the library: the adapter only translates names, and does not correct any answer.

package require Tcl 8.6
package require json
package require json::write
package require uri

json::write indented 0

namespace eval adapter {
    # The schemes for which the library shows a path and documents `join`.
    variable schemes {http https ftp file}
    variable rfcs
}

proc adapter::main {arguments} {
    variable rfcs
    lassign $arguments library path
    if {[llength $arguments] != 2 || $library ne "tcllib-uri"} {
        puts stderr "usage: adapter.tcl tcllib-uri RFCS"
        exit 2
    }
    set file [open $path]
    fconfigure $file -encoding utf-8
    set rfcs [json::json2dict [read $file]]
    close $file
    fconfigure stdin -encoding utf-8
    fconfigure stdout -encoding utf-8
    while {[gets stdin line] >= 0} {
        if {[string trim $line] eq ""} {
            continue
        }
        set message [json::json2dict $line]
        switch -- [dict get $message type] {
            hello {write [hello $library]}
            run {write [list id [dict get $message id] {*}[reply $message $line]]}
            bye {return}
        }
    }
}

# Writes a message. Its values are already JSON.
proc adapter::write {message} {
    puts [json::write object {*}$message]
    flush stdout
}

proc adapter::hello {library} {
    set implementation [json::write object-strings \
        name $library \
        version [package present uri] \
        language tcl \
        runtime "Tcl [info patchlevel]" \
        homepage https://core.tcl-lang.org/tcllib/doc/trunk/embedded/md/tcllib/files/modules/uri/uri.md]
    return [list \
        type {"hello"} \
        protocol 1 \
        implementation $implementation \
        ops [json::write array-strings validate parse resolve normalize recompose] \
        specs [json::write array-strings rfc3986] \
        features [json::write array-strings validate-by-parse] \
        modes [json::write array-strings syntax] \
        window 64]
}

# Returns the reply to a question, without its id. If an error has no error code, the library refuses a text.
# Errors of the interpreter have a code.
proc adapter::reply {question line} {
    try {
        # Search the line, because json2dict does not distinguish objects and null from texts. A text cannot
        # match, because a quote inside a text follows a backslash.
        if {[regexp {\{\s*"hex"\s*:} $line]} {
            unsupported "the library takes Unicode text only"
        }
        if {[dict exists $question components]} {
            foreach {_ name} [regexp -all -inline {"(\w+)"\s*:\s*null} $line] {
                dict unset question components $name
            }
        }
        list {*}[answer $question] status {"ok"}
    } trap {ADAPTER UNSUPPORTED} message {
        failure unsupported $message
    } trap NONE message {
        failure reject $message
    } on error message {
        failure error $message
    }
}

proc adapter::failure {status message} {
    return [list status [json::write string $status] message [json::write string $message]]
}

proc adapter::unsupported {message} {
    throw {ADAPTER UNSUPPORTED} $message
}

proc adapter::answer {question} {
    switch -- [dict get $question op] {
        validate {validate $question}
        parse {parse $question}
        resolve {resolve [dict get $question base] [dict get $question reference]}
        normalize {normalize $question}
        recompose {recompose $question}
        default {unsupported "the library has no such operation"}
    }
}

proc adapter::found {url} {
    return [list url [json::write string $url]]
}

# Accepts a text if the library accepts it, and if it has the form that the rule requires.
proc adapter::validate {question} {
    set rule [rule $question]
    set url [dict get $question url]
    set scheme [dict get [uri::split $url] scheme]
    set is_relative [uri::isrelative $url]
    if {[dict get $rule form] eq "absolute" && $is_relative} {
        error "it has no scheme"
    }
    if {[dict get $rule form] eq "relative" && !$is_relative} {
        error "it has a scheme"
    }
    if {![dict get $rule fragment] && [string first # $url] >= 0} {
        error "it has a fragment"
    }
    if {[dict exists $rule scheme] && [dict get $rule scheme] ne $scheme} {
        error "the scheme is $scheme"
    }
    return {}
}

# Returns the components under the names of the RFC.
proc adapter::parse {question} {
    variable rfcs
    rule $question
    set parts [parts [dict get $question url]]
    set own [dict get $rfcs components [dict get $question spec]]
    set scheme [dict get $parts scheme]
    set names [dict get $own [expr {[dict exists $own $scheme] ? $scheme : ""}]]
    set shown {}
    dict for {name part} $names {
        if {[dict exists $parts $part]} {
            set text [dict get $parts $part]
            lappend shown $name [expr {$text eq "" && $part ne "path" ? "null" : [json::write string $text]}]
        }
    }
    return [list components [json::write object {*}$shown]]
}

proc adapter::resolve {base reference} {
    found [uri::resolve $base $reference]
}

# Returns the text without dot segments. The library has no other normalization.
proc adapter::normalize {question} {
    set url [dict get $question url]
    if {[dict exists $question mode] && [dict get $question mode] eq "scheme"} {
        unsupported "the library has no such normal form"
    }
    found [uri::canonicalize $url]
}

# Returns the text of components that have the names of RFC 3986.
proc adapter::recompose {question} {
    if {[dict get $question spec] in {rfc1738 rfc1808}} {
        unsupported "the library has the components of RFC 3986"
    }
    set components [dict get $question components]
    if {![dict exists $components scheme]} {
        unsupported "the library has no relative references"
    }
    variable schemes
    if {[string tolower [dict get $components scheme]] ni $schemes} {
        unsupported "the library joins components for these schemes only: $schemes"
    }
    if {[dict exists $components userinfo]} {
        regexp {^([^:]*):?(.*)$} [dict get $components userinfo] _ user password
        lappend components user $user pwd $password
    }
    if {[string tolower [dict get $components scheme]] ne "file"} {
        # As `split` with the default options, omit the initial slash of the path.
        set path [dict get $components path]
        lappend components pbare [expr {$path eq ""}] path [regsub {^/} $path ""]
    }
    found [uri::join {*}$components]
}

# Returns the rule of a question, if it is a rule for whole URLs.
proc adapter::rule {question} {
    variable rfcs
    set spec [dict get $question spec]
    set name [expr {[dict exists $question rule] ? [dict get $question rule] : [dict get $rfcs default $spec]}]
    if {![dict exists $rfcs rules $spec $name]} {
        unsupported "the library knows whole URLs only"
    }
    return [dict get $rfcs rules $spec $name]
}

# Returns the components as the library shows them. It does not distinguish absent and empty components, and shows
# the scheme http for a text without a scheme. Of a scheme that is not in `schemes`, the library has other components:
# returns the scheme, and the host if the library also shows a port. The host of mailto is not that of a URL.
proc adapter::parts {url} {
    variable schemes
    set parts [uri::split $url]
    if {[dict get $parts scheme] ni $schemes} {
        if {[dict exists $parts port]} {
            return [dict filter $parts key scheme host port]
        }
        return [dict filter $parts key scheme]
    }
    if {![dict exists $parts host]} {
        dict set parts host "" ;# the library may leave it out
    }
    if {[dict exists $parts user]} {
        set password [dict get $parts pwd]
        dict set parts password $password
        dict set parts userinfo [dict get $parts user][expr {$password eq "" ? "" : ":$password"}]
    }
    # With the default options, the path of a scheme with the key `pbare` omits its initial slash.
    if {[dict exists $parts pbare] && ![dict get $parts pbare]} {
        dict set parts path "/[dict get $parts path]"
    }
    set path [dict get $parts path]
    if {[string index $path 0] eq "/"} {
        dict set parts url-path [string range $path 1 end]
    }
    return $parts
}

adapter::main $argv
