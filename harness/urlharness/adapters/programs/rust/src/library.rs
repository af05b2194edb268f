//! The interface of a library: functions of texts.

use std::collections::HashMap;
use std::error::Error;

/// The components as a library shows them: those of RFC 3986, `user` and `password`. None means absent.
pub type Parts = HashMap<&'static str, Option<String>>;

/// The components of a URI that a library writes.
#[cfg_attr(not(feature = "default-set"), expect(dead_code))]
pub struct Components<'a> {
    pub scheme: Option<&'a str>,
    pub authority: Option<&'a str>,
    pub userinfo: Option<&'a str>,
    pub host: Option<&'a str>,
    pub port: Option<&'a str>,
    pub path: &'a str,
    pub query: Option<&'a str>,
    pub fragment: Option<&'a str>,
}

/// The reason of a missing answer.
pub enum Failure {
    /// The library refuses the text.
    Refused(String),
    /// The library has no answer to the question.
    Unsupported(&'static str),
    /// The library accepts the text only with a base, and does not show its components.
    #[cfg_attr(not(feature = "default-set"), expect(dead_code))]
    Relative,
}

pub type Answer<T> = Result<T, Failure>;

/// Every error of a library is a refusal. A fault of a library is a panic.
impl<E: Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure::Refused(error.to_string())
    }
}

/// The functions of a library. A function is None if the library lacks it. `modes` are the modes in which it
/// normalizes and compares: sections 6.2.2 ("syntax") and 6.2.3 ("scheme") of RFC 3986. `to_uri` maps an IRI
/// to a URI: section 3.1 of RFC 3987.
/// `specs` are the RFCs that the documentation of the library claims.
pub struct Library {
    pub parse: fn(&str) -> Answer<Parts>,
    pub resolve: Option<fn(&str, &str) -> Answer<String>>,
    pub normalize: Option<fn(&str) -> Answer<String>>,
    pub recompose: Option<fn(&Components) -> Answer<String>>,
    pub equivalent: Option<fn(&str, &str) -> Answer<bool>>,
    pub to_uri: Option<fn(&str) -> Answer<String>>,
    pub modes: &'static [&'static str],
    pub specs: &'static [&'static str],
}

impl Library {
    /// Returns a library that only parses, and claims no RFC.
    pub fn new(parse: fn(&str) -> Answer<Parts>) -> Self {
        Library {
            parse,
            resolve: None,
            normalize: None,
            recompose: None,
            equivalent: None,
            to_uri: None,
            modes: &[],
            specs: &[],
        }
    }
}

pub fn refused<T>(message: &str) -> Answer<T> {
    Err(Failure::Refused(message.to_string()))
}

pub fn unsupported<T>(message: &'static str) -> Answer<T> {
    Err(Failure::Unsupported(message))
}

/// Collects components.
pub fn parts<const N: usize>(named: [(&'static str, Option<&str>); N]) -> Parts {
    named
        .into_iter()
        .map(|(name, value)| (name, value.map(str::to_string)))
        .collect()
}
