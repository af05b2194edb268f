# Print the accessors of package uri of Tcllib, one question and one answer a line.
# https://core.tcl-lang.org/tcllib/doc/tcllib-1-21/embedded/md/tcllib/files/modules/uri/uri.md

package require json
package require json::write
package require uri

json::write indented false

# A JSON object with the texts of a dictionary.
proc texts {dictionary} {
    return [json::write object {*}[dict map {_ text} $dictionary {json::write string $text}]]
}

proc accessors {url} {
    set parts [uri::split $url]
    if {[dict get $parts scheme] eq "mailto"} {
        # user and host are of the mail address, not of the URL
        set parts [dict create scheme mailto address [dict remove $parts scheme]]
    }
    set shown [dict map {_ text} $parts {json::write string $text}]
    if {[dict exists $parts pbare]} {
        # by default path has no initial "/"; pbare is true if the URL has none either
        dict set shown path [json::write array [json::write string [dict get $parts path]]]
        dict set shown "not pbare" [expr {[dict get $parts pbare] ? "false" : "true"}]
    } else {
        dict set shown "not pbare" false
    }
    if {[dict get $parts scheme] eq "file" && ![dict exists $parts host]} {
        dict set shown host null
    }
    return [json::write object accessors [json::write object {*}$shown]]
}

proc answer {question} {
    switch [dict get $question op] {
        parse {
            return [accessors [dict get $question url]]
        }
        resolve {
            set absolute [uri::resolve [dict get $question base] [dict get $question reference]]
            return [texts [dict create url $absolute]]
        }
        normalize {
            return [texts [dict create url [uri::canonicalize [dict get $question url]]]]
        }
    }
}

fconfigure stdin -encoding utf-8
fconfigure stdout -encoding utf-8
while {[gets stdin line] >= 0} {
    if {[catch {answer [json::json2dict $line]} printed]} {
        set kind [expr {[regexp {^(unknown scheme|{invalid url}|unable to resolve)} $printed] ? "refused" : "failed"}]
        set printed [texts [dict create $kind $printed]]
    }
    puts $printed
    flush stdout
}
