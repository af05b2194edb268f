//! The libraries of the set `default`.

use crate::library::{Answer, Components, Failure, Library, Parts, parts, refused, unsupported};

use fluent_uri::build::Builder;
use fluent_uri::component::Scheme;
use fluent_uri::pct_enc::EStr;
use fluent_uri::{Uri, UriRef};
use iri_string::types::{UriReferenceStr, UriStr};
use url::{ParseError, Url};

/// The crate `url` has no relative form, so a reference is checked against this base.
const BASE: &str = "http://a/b/c/d;p?q";

pub fn library(name: &str) -> Option<Library> {
    match name {
        "url" => Some(Library {
            parse: url_parse,
            resolve: Some(url_join),
            normalize: None, // the parser already normalizes
            recompose: None,
            equivalent: None,
            modes: &[],
            specs: &[],
        }),
        "fluent-uri" => Some(Library {
            parse: fluent_parse,
            resolve: Some(fluent_resolve),
            normalize: Some(|text| Ok(UriRef::parse(text)?.normalize().into_string())),
            recompose: Some(fluent_build),
            equivalent: None,
            modes: &["syntax", "scheme"],
            specs: &["rfc3986"],
        }),
        "iri-string" => Some(Library {
            parse: iri_string_parse,
            resolve: Some(|base, reference| {
                let base = UriStr::new(base)?.to_absolute(); // without the fragment
                let reference = UriReferenceStr::new(reference)?;
                Ok(reference.resolve_against(base).to_string())
            }),
            normalize: Some(|text| match UriStr::new(text) {
                Ok(uri) => Ok(uri.normalize().to_string()),
                Err(_) if UriReferenceStr::new(text).is_ok() => {
                    unsupported("the library normalizes no relative reference")
                }
                Err(refusal) => Err(refusal.into()),
            }),
            recompose: Some(iri_string_build),
            equivalent: None,
            modes: &["syntax"],
            specs: &["rfc3986"],
        }),
        _ => None,
    }
}

fn url_parse(text: &str) -> Answer<Parts> {
    let url = match Url::parse(text) {
        Err(ParseError::RelativeUrlWithoutBase) if url_join(BASE, text).is_ok() => {
            return Err(Failure::Relative);
        }
        parsed => parsed?,
    };
    // the library shows an absent username as an empty one
    let user = Some(url.username()).filter(|user| !user.is_empty());
    let port = url.port().map(|port| port.to_string()); // None for the default port
    Ok(parts([
        ("scheme", Some(url.scheme())),
        ("authority", url.has_authority().then(|| url.authority())),
        ("user", user),
        ("password", url.password()),
        ("host", url.host_str()),
        ("port", port.as_deref()),
        ("path", Some(url.path())),
        ("query", url.query()),
        ("fragment", url.fragment()),
    ]))
}

fn url_join(base: &str, reference: &str) -> Answer<String> {
    Ok(Url::parse(base)?.join(reference)?.into())
}

fn fluent_parse(text: &str) -> Answer<Parts> {
    let uri = UriRef::parse(text)?;
    let authority = uri.authority();
    Ok(parts([
        ("scheme", uri.scheme().map(Scheme::as_str)),
        ("authority", authority.map(|whole| whole.as_str())),
        (
            "userinfo",
            authority
                .and_then(|whole| whole.userinfo())
                .map(EStr::as_str),
        ),
        ("host", authority.map(|whole| whole.host())),
        (
            "port",
            authority.and_then(|whole| whole.port()).map(EStr::as_str),
        ),
        ("path", Some(uri.path().as_str())),
        ("query", uri.query().map(EStr::as_str)),
        ("fragment", uri.fragment().map(EStr::as_str)),
    ]))
}

/// Resolves a reference. The library refuses a base with a fragment.
fn fluent_resolve(base: &str, reference: &str) -> Answer<String> {
    let target = UriRef::parse(reference)?.resolve_against(&Uri::parse(base)?)?;
    Ok(target.into_string())
}

/// Builds a URI reference. The builder needs an authority from another parsed reference.
fn fluent_build(given: &Components) -> Answer<String> {
    let holder = given
        .authority
        .map(|text| UriRef::parse(format!("//{text}")))
        .transpose();
    let holder = holder.map_err(|(error, _)| error)?;
    let authority = holder.as_ref().and_then(|uri| uri.authority());
    if authority.map(|whole| whole.as_str()) != given.authority {
        return refused("the authority has a delimiter of another component");
    }
    let (Some(scheme), Some(path), Some(query), Some(fragment)) = (
        optional(given.scheme, Scheme::new),
        EStr::new(given.path),
        optional(given.query, EStr::new),
        optional(given.fragment, EStr::new),
    ) else {
        return refused("a component has a character that it must not have");
    };
    let built = UriRef::builder()
        .optional(Builder::scheme, scheme)
        .optional(Builder::authority, authority)
        .path(path)
        .optional(Builder::query, query)
        .optional(Builder::fragment, fragment)
        .build()?;
    Ok(built.into_string())
}

/// Checks an optional component. Returns None if the library refuses the component.
fn optional<'a, T: ?Sized>(
    text: Option<&'a str>,
    check: fn(&'a str) -> Option<&'a T>,
) -> Option<Option<&'a T>> {
    text.map_or(Some(None), |text| check(text).map(Some))
}

fn iri_string_parse(text: &str) -> Answer<Parts> {
    let uri = UriReferenceStr::new(text)?;
    let authority = uri.authority_components();
    Ok(parts([
        ("scheme", uri.scheme_str()),
        ("authority", uri.authority_str()),
        ("userinfo", authority.and_then(|whole| whole.userinfo())),
        ("host", authority.map(|whole| whole.host())),
        ("port", authority.and_then(|whole| whole.port())),
        ("path", Some(uri.path_str())),
        ("query", uri.query_str()),
        ("fragment", uri.fragment_str()),
    ]))
}

/// Builds a URI reference. The builder needs the parts of the authority.
fn iri_string_build(given: &Components) -> Answer<String> {
    let mut builder = iri_string::build::Builder::new();
    if let Some(scheme) = given.scheme {
        builder.scheme(scheme);
    }
    match (given.authority, given.host) {
        (Some(_), None) => return unsupported("the builder takes no authority without a host"),
        (_, Some(host)) => builder.host(host),
        (None, None) => {}
    }
    if let Some(userinfo) = given.userinfo {
        builder.userinfo(userinfo);
    }
    if let Some(port) = given.port {
        builder.port(port);
    }
    builder.path(given.path);
    if let Some(query) = given.query {
        builder.query(query);
    }
    if let Some(fragment) = given.fragment {
        builder.fragment(fragment);
    }
    Ok(builder.build::<UriReferenceStr>()?.to_string())
}
