//! Prints the accessors of a Rust library: `adapter LIBRARY`, one question and one answer a line.
//!
//! Each library is called as its documentation does it; direct.toml names the page. The program is called
//! `adapter` because its package is that of the adapter, with this source.

use serde_json::{Value, json};
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[cfg(feature = "default-set")]
mod default_set;
#[cfg(feature = "full-set")]
mod full_set;

#[cfg(feature = "default-set")]
use default_set::{library, library_of_iris};
#[cfg(feature = "full-set")]
use full_set::{library, library_of_iris};

/// The answer of a library: an object of accessors, or a URL; or the message with which it refuses.
type Answer = Result<Value, String>;

/// The functions of a library, or None for an operation that it does not offer.
#[derive(Default)]
struct Library {
    parse: Option<fn(&str) -> Answer>,
    resolve: Option<fn(&str, &str) -> Answer>,
    normalize: Option<fn(&str) -> Answer>,
    to_uri: Option<fn(&str) -> Answer>,
}

/// Returns a message: the text of an error.
fn message(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn ask(library: &Library, question: &Value) -> Option<Answer> {
    let text = |field: &str| question[field].as_str().unwrap_or_default();
    match text("op") {
        "parse" => library.parse.map(|parse| parse(text("url"))),
        "resolve" => library
            .resolve
            .map(|resolve| resolve(text("base"), text("reference"))),
        "normalize" => library.normalize.map(|normalize| normalize(text("url"))),
        "to_uri" => library.to_uri.map(|to_uri| to_uri(text("url"))),
        _ => None,
    }
}

fn answer(library: &Library, question: &Value) -> Value {
    let field = if question["op"] == "parse" {
        "accessors"
    } else {
        "url"
    };
    match catch_unwind(AssertUnwindSafe(|| ask(library, question))) {
        Ok(None) => json!({"offered": false}),
        Ok(Some(Ok(shown))) => json!({field: shown}),
        Ok(Some(Err(refusal))) => json!({"refused": refusal}),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            json!({"failed": text.unwrap_or("panicked")})
        }
    }
}

fn main() {
    let name = std::env::args().nth(1).expect("usage: adapter LIBRARY");
    let library = library(&name);
    let library_of_iris = library_of_iris(&name);
    let mut output = std::io::stdout();
    for line in std::io::stdin().lock().lines() {
        let question: Value = serde_json::from_str(&line.expect("UTF-8")).expect("JSON");
        let asked = if question["spec"] == "rfc3987" {
            &library_of_iris
        } else {
            &library
        };
        writeln!(output, "{}", answer(asked, &question)).expect("a reader");
    }
}
