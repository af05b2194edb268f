//! An adapter for urlconform, protocol 1: questions on stdin, answers on stdout, one JSON object per line.
use serde_json::{json, Value};
use url::{ParseError, Url};
/// Your library goes here: null is absent, "" is present but empty; leave out what it does not have.
fn answer(q: &Value) -> Result<Value, ParseError> {
    let text = |name: &str| q[name].as_str();
    if let (Some("resolve"), Some(base), Some(reference)) = (text("op"), text("base"), text("reference")) {
        return Ok(json!({"status": "ok", "url": Url::parse(base)?.join(reference)?.as_str()}));
    }
    let known = matches!(text("spec"), Some("rfc2396" | "rfc2732" | "rfc3986"))
        && matches!(text("rule"), None | Some("URI" | "URI-reference"));
    let (Some("validate" | "parse"), Some(url), true) = (text("op"), text("url"), known) else {
        return Ok(json!({"status": "unsupported", "message": "not this operation, specification, rule or bytes"}));
    };
    let u = Url::parse(url)?;
    let userinfo = u.password().map_or(u.username().into(), |password| format!("{}:{password}", u.username()));
    let parts = json!({"scheme": u.scheme(), "userinfo": Some(userinfo).filter(|text| !text.is_empty()),
        "host": u.host_str(), "port": u.port().map(|port| port.to_string()), "path": u.path(),
        "query": u.query(), "fragment": u.fragment()});
    Ok(if text("op") == Some("parse") { json!({"status": "ok", "components": parts}) } else { json!({"status": "ok"}) })
}

fn main() {
    let locked = include_str!("../Cargo.lock").split("name = \"url\"\nversion = \"").nth(1).unwrap_or_default();
    let hello = json!({"type": "hello", "protocol": 1, "window": 64, "ops": ["validate", "parse", "resolve"],
        "specs": [], "features": ["validate-by-parse", "absent-vs-empty"], // it distinguishes http://h from http://h?
        "implementation": {"name": "url", "version": locked.split('"').next(), "language": "rust"}});
    for q in std::io::stdin().lines().filter_map(|line| serde_json::from_str::<Value>(&line.ok()?).ok()) {
        let mut reply = match (q["type"].as_str(), std::panic::catch_unwind(|| answer(&q))) {
            (Some("hello"), _) => hello.clone(),
            (Some("bye"), _) => return,
            (_, Ok(Err(ParseError::RelativeUrlWithoutBase))) if q["op"] != "resolve" && q["rule"] != "URI" =>
                json!({"status": "unsupported", "message": "url takes relative references only with a base"}),
            (_, Ok(found)) => found.unwrap_or_else(|why| json!({"status": "reject", "message": why.to_string()})),
            (_, Err(_)) => json!({"status": "error", "message": "it panicked"}), // which fails only this question
        };
        reply["id"] = q["id"].clone();
        println!("{reply}"); // it flushes at the end of the line
    }
}
