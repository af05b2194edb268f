//! An adapter for urlconform, protocol 1: questions on stdin, answers on stdout, one JSON object per line.
//! A library of IRIs adds "rfc3987" to specs, and to ops "to_uri" and "to_iri", whose answers have a url.

use serde_json::{json, Value};
use std::panic::catch_unwind;
use url::{ParseError, Url};

/// The answer to the first question of a session.
fn hello() -> Value {
    let locked = include_str!("../Cargo.lock");
    let version = locked.split("name = \"url\"\nversion = \"").nth(1);
    json!({
        "type": "hello",
        "protocol": 1,
        "window": 64,
        "ops": ["validate", "parse", "resolve"],
        "specs": [], // the RFCs that it claims
        // "absent-vs-empty": it distinguishes http://h from http://h?
        "features": ["validate-by-parse", "absent-vs-empty"],
        "implementation": {
            "name": "url",
            "version": version.and_then(|rest| rest.split('"').next()),
            "language": "rust",
        },
    })
}

fn unsupported(why: &str) -> Value {
    json!({"status": "unsupported", "message": why})
}

/// Your library goes here: null is absent, "" is present but empty; leave out what it does not have.
fn answer(q: &Value) -> Result<Value, ParseError> {
    let text = |name: &str| q[name].as_str();
    let known_spec = matches!(
        text("spec"),
        Some("rfc2396" | "rfc2732" | "rfc3986" | "rfc3987")
    );
    let has_scheme = matches!(text("rule"), Some("URI" | "IRI"));
    let known_rule =
        has_scheme || matches!(text("rule"), None | Some("URI-reference" | "IRI-reference"));
    let op = text("op").unwrap_or_default();
    if op == "resolve" {
        let (Some(base), Some(reference)) = (text("base"), text("reference")) else {
            return Ok(unsupported("bytes that are no text"));
        };
        let target = Url::parse(base)?.join(reference)?;
        return Ok(json!({"status": "ok", "url": target.as_str()}));
    }
    let (Some(text), true, true) = (text("url"), known_spec, known_rule) else {
        return Ok(unsupported("not this specification, rule or bytes"));
    };
    let url = match Url::parse(text) {
        Err(ParseError::RelativeUrlWithoutBase) if !has_scheme => {
            return Ok(unsupported("relative references only with a base"));
        }
        parsed => parsed?,
    };
    let userinfo = match url.password() {
        Some(password) => Some(format!("{}:{password}", url.username())),
        None if url.username().is_empty() => None,
        None => Some(url.username().to_string()),
    };
    Ok(match op {
        "validate" => json!({"status": "ok"}),
        "parse" => json!({
            "status": "ok",
            "components": {
                "scheme": url.scheme(),
                "userinfo": userinfo,
                "host": url.host_str(),
                "port": url.port().map(|port| port.to_string()),
                "path": url.path(),
                "query": url.query(),
                "fragment": url.fragment(),
            },
        }),
        _ => unsupported("not this operation"),
    })
}

/// Answers a question; an error or a panic fails only this question.
fn reply(q: &Value) -> Value {
    match catch_unwind(|| answer(q)) {
        Ok(Ok(found)) => found,
        Ok(Err(why)) => json!({"status": "reject", "message": why.to_string()}),
        Err(_) => json!({"status": "error", "message": "it panicked"}),
    }
}

fn main() {
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let Ok(q) = serde_json::from_str::<Value>(&line) else {
            continue;
        };
        let mut message = match q["type"].as_str() {
            Some("hello") => hello(),
            Some("bye") => return,
            _ => reply(&q),
        };
        message["id"] = q["id"].clone();
        println!("{message}"); // it flushes at the end of the line
    }
}
