//! The libraries of the set `default`.

use crate::library::{Answer, Components, Failure, Library, Parts, parts, refused, unsupported};

use fluent_uri::build::Builder;
use fluent_uri::component::Scheme;
use fluent_uri::pct_enc::EStr;
use fluent_uri::{IriRef, UriRef};
use iri_string::spec::{IriSpec, Spec, UriSpec};
use iri_string::types::{IriReferenceStr, RiReferenceStr, RiStr};
use url::{ParseError, Url};

/// The crate `url` has no relative form, so a reference is checked against this base.
const BASE: &str = "http://a/b/c/d;p?q";

pub fn library(name: &str) -> Option<Library> {
    match name {
        // without normalize, because the parser already normalizes
        "url" => Some(Library {
            resolve: Some(url_join),
            ..Library::new(url_parse)
        }),
        "fluent-uri" => Some(Library {
            resolve: Some(fluent_uris::resolve),
            normalize: Some(|text| Ok(UriRef::parse(text)?.normalize().into_string())),
            recompose: Some(fluent_uris::build),
            modes: &["syntax", "scheme"],
            specs: &["rfc3986", "rfc3987"],
            ..Library::new(fluent_uris::parse)
        }),
        "iri-string" => Some(Library {
            specs: &["rfc3986", "rfc3987"],
            ..iri_string_library::<UriSpec>()
        }),
        _ => None,
    }
}

pub fn library_of_iris(name: &str) -> Option<Library> {
    match name {
        "fluent-uri" => Some(Library {
            resolve: Some(fluent_iris::resolve),
            normalize: Some(|text| Ok(IriRef::parse(text)?.normalize().into_string())),
            recompose: Some(fluent_iris::build),
            to_uri: Some(|text| Ok(IriRef::parse(text)?.to_uri_ref().into_string())),
            modes: &["syntax", "scheme"],
            ..Library::new(fluent_iris::parse)
        }),
        "iri-string" => Some(Library {
            to_uri: Some(|text| Ok(IriReferenceStr::new(text)?.encode_to_uri().to_string())),
            ..iri_string_library::<IriSpec>()
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

/// The functions of fluent-uri for URIs or for IRIs, as a module. The crate has the same methods for both, but
/// no trait for them.
macro_rules! fluent_functions {
    ($module:ident, $Absolute:ident, $Reference:ident) => {
        mod $module {
            use super::{
                Answer, Builder, Components, EStr, Parts, Scheme, optional, parts, refused,
            };
            use fluent_uri::{$Absolute, $Reference};

            pub fn parse(text: &str) -> Answer<Parts> {
                let uri = $Reference::parse(text)?;
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
            pub fn resolve(base: &str, reference: &str) -> Answer<String> {
                let target =
                    $Reference::parse(reference)?.resolve_against(&$Absolute::parse(base)?)?;
                Ok(target.into_string())
            }

            /// Builds a URI reference. The builder needs an authority from another parsed reference.
            pub fn build(given: &Components) -> Answer<String> {
                let holder = given
                    .authority
                    .map(|text| $Reference::parse(format!("//{text}")))
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
                let built = $Reference::builder()
                    .optional(Builder::scheme, scheme)
                    .optional(Builder::authority, authority)
                    .path(path)
                    .optional(Builder::query, query)
                    .optional(Builder::fragment, fragment)
                    .build()?;
                Ok(built.into_string())
            }
        }
    };
}

fluent_functions!(fluent_uris, Uri, UriRef);
fluent_functions!(fluent_iris, Iri, IriRef);

/// Checks an optional component. Returns None if the library refuses the component.
fn optional<'a, T: ?Sized>(
    text: Option<&'a str>,
    check: fn(&'a str) -> Option<&'a T>,
) -> Option<Option<&'a T>> {
    text.map_or(Some(None), |text| check(text).map(Some))
}

/// The functions of iri-string for URIs (`UriSpec`) or for IRIs (`IriSpec`).
fn iri_string_library<S: Spec>() -> Library {
    Library {
        resolve: Some(|base, reference| {
            let base = RiStr::<S>::new(base)?.to_absolute(); // without the fragment
            let reference = RiReferenceStr::<S>::new(reference)?;
            Ok(reference.resolve_against(base).to_string())
        }),
        normalize: Some(|text| match RiStr::<S>::new(text) {
            Ok(uri) => Ok(uri.normalize().to_string()),
            Err(_) if RiReferenceStr::<S>::new(text).is_ok() => {
                unsupported("the library normalizes no relative reference")
            }
            Err(refusal) => Err(refusal.into()),
        }),
        recompose: Some(iri_string_build::<S>),
        modes: &["syntax"],
        ..Library::new(iri_string_parse::<S>)
    }
}

fn iri_string_parse<S: Spec>(text: &str) -> Answer<Parts> {
    let uri = RiReferenceStr::<S>::new(text)?;
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
fn iri_string_build<S: Spec>(given: &Components) -> Answer<String> {
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
    Ok(builder.build::<RiReferenceStr<S>>()?.to_string())
}
