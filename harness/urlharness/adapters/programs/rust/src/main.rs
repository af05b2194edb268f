//! urlconform adapter for Rust libraries: `adapter LIBRARY RFCS`.
//!
//! RFCS is a JSON file. For each RFC, it contains the rules for a whole URL and the names of the components.
//! Every answer comes from the library: the adapter only translates names, and does not correct any answer. A
//! panic of a library ends the program.

#[cfg(feature = "default-set")]
mod default_set;
#[cfg(feature = "full-set")]
mod full_set;
mod library;

use library::{Answer, Components, Failure, Library, refused, unsupported};
use serde_json::{Value, json};
use std::error::Error;
use std::{env, fs, io, panic};

/// Finds a library of this build by the name of its crate.
fn library(name: &str) -> Option<Library> {
    #[cfg(feature = "default-set")]
    if let Some(found) = default_set::library(name) {
        return Some(found);
    }
    #[cfg(feature = "full-set")]
    if let Some(found) = full_set::library(name) {
        return Some(found);
    }
    None
}

/// Finds the functions for IRIs of a library of this build, if they are not those for URIs.
fn library_of_iris(name: &str) -> Option<Library> {
    #[cfg(feature = "default-set")]
    if let Some(found) = default_set::library_of_iris(name) {
        return Some(found);
    }
    #[cfg(feature = "full-set")]
    if let Some(found) = full_set::library_of_iris(name) {
        return Some(found);
    }
    None
}

/// The version of a crate, as the lock file says.
fn version(name: &str) -> Option<&'static str> {
    let locked = include_str!("../Cargo.lock");
    let entry = format!("name = \"{name}\"\nversion = \"");
    locked.split(&entry).nth(1)?.split('"').next()
}

/// Answers the questions of the protocol with one library.
struct Adapter {
    name: String,
    library: Library,
    iris: Option<Library>,
    rfcs: Value,
}

impl Adapter {
    fn hello(&self) -> Value {
        let library = &self.library;
        let iris = self.iris.as_ref().unwrap_or(library);
        let mut operations = vec!["validate", "parse"];
        for (name, offered) in [
            (
                "resolve",
                library.resolve.is_some() || iris.resolve.is_some(),
            ),
            (
                "normalize",
                library.normalize.is_some() || iris.normalize.is_some(),
            ),
            (
                "recompose",
                library.recompose.is_some() || iris.recompose.is_some(),
            ),
            (
                "equivalent",
                library.equivalent.is_some() || iris.equivalent.is_some(),
            ),
            ("to_uri", iris.to_uri.is_some()),
        ] {
            if offered {
                operations.push(name);
            }
        }
        // the names of these crates are too general for an adapter
        let prefix = if matches!(self.name.as_str(), "url" | "http") {
            "rust-"
        } else {
            ""
        };
        json!({
            "type": "hello",
            "protocol": 1,
            "implementation": {
                "name": format!("{prefix}{}", self.name),
                "version": version(&self.name),
                "language": "rust",
                "runtime": env!("RUSTC_VERSION"),
                "homepage": format!("https://crates.io/crates/{}", self.name),
            },
            "ops": operations,
            "specs": library.specs,
            "features": ["absent-vs-empty", "validate-by-parse"],
            "modes": library.modes,
            "window": 64,
        })
    }

    /// Returns the reply to a question, without its id.
    fn reply(&self, question: &Value) -> Value {
        match self.answer(question) {
            Ok(mut reply) => {
                reply["status"] = json!("ok");
                reply
            }
            Err(Failure::Refused(message)) => json!({"status": "reject", "message": message}),
            Err(Failure::Unsupported(message)) => {
                json!({"status": "unsupported", "message": message})
            }
            Err(Failure::Relative) => json!({
                "status": "unsupported",
                "message": "the library has no components of a relative reference",
            }),
        }
    }

    fn answer(&self, question: &Value) -> Answer<Value> {
        let library = self.library_for(question);
        match question["op"].as_str() {
            Some("validate") => self.validate(question),
            Some("parse") => self.parse(question),
            Some("resolve") => {
                let resolve = offered(library.resolve)?;
                let url = resolve(text(question, "base")?, text(question, "reference")?)?;
                Ok(json!({"url": url}))
            }
            Some("normalize") => {
                let normalize = offered(library.normalize)?;
                let mode = question["mode"].as_str().unwrap_or("syntax");
                if !library.modes.contains(&mode) {
                    return unsupported("the library has no such normal form");
                }
                Ok(json!({"url": normalize(text(question, "url")?)?}))
            }
            Some("recompose") => {
                let recompose = offered(library.recompose)?;
                Ok(json!({"url": recompose(&components(question)?)?}))
            }
            Some("equivalent") => {
                let equivalent = offered(library.equivalent)?;
                let equal = equivalent(text(question, "url")?, text(question, "other")?)?;
                Ok(json!({"equal": equal}))
            }
            Some("to_uri") => {
                let to_uri = offered(library.to_uri)?;
                self.rule(question)?;
                Ok(json!({"url": to_uri(text(question, "url")?)?}))
            }
            _ => unsupported("the library has no such operation"),
        }
    }

    /// Returns the functions for the RFC of a question.
    fn library_for(&self, question: &Value) -> &Library {
        match &self.iris {
            Some(iris) if question["spec"] == "rfc3987" => iris,
            _ => &self.library,
        }
    }

    /// Accepts a text if the library accepts it, and if it has the form that the rule requires.
    fn validate(&self, question: &Value) -> Answer<Value> {
        let rule = self.rule(question)?;
        let text = text(question, "url")?;
        let mut reply = json!({});
        let scheme = match (self.library_for(question).parse)(text) {
            Ok(parts) => parts["scheme"].clone(),
            Err(Failure::Relative) => {
                reply["message"] = json!("only with a base");
                None
            }
            Err(failure) => return Err(failure),
        };
        if rule["form"] == "absolute" && scheme.is_none() {
            return refused("it has no scheme");
        }
        if rule["form"] == "relative" && scheme.is_some() {
            return refused("it has a scheme");
        }
        if rule["fragment"] == false && text.contains('#') {
            return refused("it has a fragment");
        }
        let scheme = scheme.unwrap_or_default().to_lowercase();
        match rule["scheme"].as_str() {
            Some(wanted) if wanted != scheme => refused(&format!("the scheme is {scheme}")),
            _ => Ok(reply),
        }
    }

    /// Returns the components under the names of the RFC.
    fn parse(&self, question: &Value) -> Answer<Value> {
        self.rule(question)?;
        let mut parts = (self.library_for(question).parse)(text(question, "url")?)?;
        if let (Some(user), Some(password)) = (parts.get("user"), parts.get("password")) {
            let userinfo = joined(user.as_deref(), password.as_deref());
            parts.insert("userinfo", userinfo);
        }
        if let Some(path) = parts.get("path") {
            let url_path = path.as_deref().and_then(|path| path.strip_prefix('/'));
            let url_path = url_path.map(str::to_string);
            parts.insert("url-path", url_path);
        }
        let schemes = &self.rfcs["components"][question["spec"].as_str().unwrap_or_default()];
        let scheme = parts["scheme"]
            .as_deref()
            .unwrap_or_default()
            .to_lowercase();
        let names = schemes.get(&scheme).unwrap_or(&schemes[""]);
        let mut found = json!({});
        for (name, part) in names.as_object().into_iter().flatten() {
            if let Some(value) = parts.get(part.as_str().unwrap_or_default()) {
                found[name] = json!(value);
            }
        }
        Ok(json!({"components": found}))
    }

    /// Returns the form that the rule of a question requires, if it is a rule for whole URLs.
    fn rule(&self, question: &Value) -> Answer<&Value> {
        let spec = question["spec"].as_str().unwrap_or_default();
        let default = self.rfcs["default"][spec].as_str();
        let name = question["rule"].as_str().or(default).unwrap_or_default();
        match self.rfcs["rules"][spec].get(name) {
            Some(rule) => Ok(rule),
            None => unsupported("the library knows whole URLs only"),
        }
    }
}

fn offered<T>(function: Option<T>) -> Answer<T> {
    function.ok_or(Failure::Unsupported("the library has no such operation"))
}

/// Returns a text of a question. A text that is not Unicode is an object with the hex digits of its bytes.
fn text<'a>(question: &'a Value, name: &str) -> Answer<&'a str> {
    let found = question[name].as_str();
    found.ok_or(Failure::Unsupported("the library takes text, not bytes"))
}

/// Returns the components of a question. They have the names of RFC 3986.
fn components(question: &Value) -> Answer<Components<'_>> {
    if matches!(question["spec"].as_str(), Some("rfc1738" | "rfc1808")) {
        return unsupported("the library has the components of RFC 3986");
    }
    let given = &question["components"];
    if given
        .as_object()
        .is_some_and(|parts| parts.values().any(Value::is_object))
    {
        return unsupported("the library takes text, not bytes");
    }
    Ok(Components {
        scheme: given["scheme"].as_str(),
        authority: given["authority"].as_str(),
        userinfo: given["userinfo"].as_str(),
        host: given["host"].as_str(),
        port: given["port"].as_str(),
        path: given["path"].as_str().unwrap_or_default(),
        query: given["query"].as_str(),
        fragment: given["fragment"].as_str(),
    })
}

/// Returns the userinfo as libraries write it: without a colon if there is no password.
fn joined(user: Option<&str>, password: Option<&str>) -> Option<String> {
    match password {
        Some(password) => Some(format!("{}:{password}", user.unwrap_or_default())),
        None => user.map(str::to_string),
    }
}

/// Writes the name of the library before the message of a panic. The message may only name another crate.
fn name_in_panics(name: String) {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        eprintln!("{name} panicked");
        hook(panic);
    }));
}

fn main() -> Result<(), Box<dyn Error>> {
    let [name, rfcs] = env::args()
        .skip(1)
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| "usage: adapter LIBRARY RFCS")?;
    let library = library(&name).ok_or_else(|| format!("no library {name}"))?;
    let iris = library_of_iris(&name);
    let rfcs = serde_json::from_slice(&fs::read(rfcs)?)?;
    let adapter = Adapter {
        name,
        library,
        iris,
        rfcs,
    };
    name_in_panics(adapter.name.clone());
    for line in io::stdin().lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let question: Value = serde_json::from_str(&line)?;
        match question["type"].as_str() {
            Some("hello") => println!("{}", adapter.hello()),
            Some("run") => {
                let mut reply = adapter.reply(&question);
                reply["id"] = question["id"].clone();
                println!("{reply}"); // stdout is flushed at the end of each line
            }
            Some("bye") => break,
            _ => {}
        }
    }
    Ok(())
}
