//! The libraries that are only in the set `full`.

use crate::library::{Answer, Components, Library, Parts, parts, unsupported};

use http::Uri;
use iref::UriRef;
use oxiri::{Iri, IriRef};
use uriparse::{URI, URIReference};

pub fn library(name: &str) -> Option<Library> {
    match name {
        "http" => Some(Library {
            recompose: Some(http_build),
            ..Library::new(http_parse)
        }),
        "uriparse" => Some(Library {
            resolve: Some(|base, reference| {
                let (base, reference) = (URI::try_from(base)?, URIReference::try_from(reference)?);
                Ok(base.resolve(&reference).to_string())
            }),
            normalize: Some(|text| {
                let mut uri = URIReference::try_from(text)?;
                uri.normalize();
                Ok(uri.to_string())
            }),
            recompose: Some(uriparse_build),
            equivalent: Some(|one, other| {
                Ok(URIReference::try_from(one)? == URIReference::try_from(other)?)
            }),
            modes: &["syntax"],
            specs: &["rfc3986"],
            ..Library::new(uriparse_parse)
        }),
        "oxiri" => Some(Library {
            resolve: Some(|base, reference| {
                Ok(Iri::parse(base)?
                    .resolve(&IriRef::parse(reference)?)?
                    .into_inner())
            }),
            specs: &["rfc3987"], // the documentation claims only this one
            ..Library::new(oxiri_parse)
        }),
        // without normalize, because only paths are normalized
        "iref" => Some(Library {
            resolve: Some(|base, reference| {
                Ok(UriRef::new(reference)?.try_resolved(base)?.to_string())
            }),
            recompose: Some(iref_uris::build),
            equivalent: Some(|one, other| Ok(UriRef::new(one)? == UriRef::new(other)?)),
            modes: &["syntax"],
            specs: &["rfc3986", "rfc3987"],
            ..Library::new(iref_uris::parse)
        }),
        _ => None,
    }
}

pub fn library_of_iris(name: &str) -> Option<Library> {
    match name {
        "iref" => Some(Library {
            resolve: Some(|base, reference| {
                Ok(iref::IriRef::new(reference)?
                    .try_resolved(base)?
                    .to_string())
            }),
            recompose: Some(iref_iris::build),
            equivalent: Some(|one, other| Ok(iref::IriRef::new(one)? == iref::IriRef::new(other)?)),
            modes: &["syntax"],
            ..Library::new(iref_iris::parse)
        }),
        _ => None,
    }
}

/// Parses the target of an HTTP request. The library drops a fragment, and only the authority shows userinfo.
fn http_parse(text: &str) -> Answer<Parts> {
    let uri = text.parse::<Uri>()?;
    Ok(parts([
        ("scheme", uri.scheme_str()),
        ("authority", uri.authority().map(|whole| whole.as_str())),
        ("host", uri.host()),
        ("port", uri.port().as_ref().map(|port| port.as_str())),
        ("path", Some(uri.path())),
        ("query", uri.query()),
    ]))
}

fn http_build(given: &Components) -> Answer<String> {
    if given.fragment.is_some() {
        return unsupported("the library has no fragments");
    }
    let mut builder = Uri::builder();
    if let Some(scheme) = given.scheme {
        builder = builder.scheme(scheme);
    }
    if let Some(authority) = given.authority {
        builder = builder.authority(authority);
    }
    let uri = match given.query {
        Some(query) => builder.path_and_query(format!("{}?{query}", given.path)),
        None => builder.path_and_query(given.path),
    };
    Ok(uri.build()?.to_string())
}

fn uriparse_parse(text: &str) -> Answer<Parts> {
    let uri = URIReference::try_from(text)?;
    Ok(Parts::from([
        ("scheme", uri.scheme().map(|scheme| scheme.to_string())),
        (
            "authority",
            uri.authority().map(|authority| authority.to_string()),
        ),
        ("user", uri.username().map(|user| user.to_string())),
        (
            "password",
            uri.password().map(|password| password.to_string()),
        ),
        ("host", uri.host().map(|host| host.to_string())),
        ("port", uri.port().map(|port| port.to_string())), // the library shows a number
        ("path", Some(uri.path().to_string())),
        ("query", uri.query().map(|query| query.to_string())),
        (
            "fragment",
            uri.fragment().map(|fragment| fragment.to_string()),
        ),
    ]))
}

fn uriparse_build(given: &Components) -> Answer<String> {
    let uri = URIReference::from_parts(
        given.scheme,
        given.authority,
        given.path,
        given.query,
        given.fragment,
    )?;
    Ok(uri.to_string())
}

fn oxiri_parse(text: &str) -> Answer<Parts> {
    let iri = IriRef::parse(text)?;
    Ok(parts([
        ("scheme", iri.scheme()),
        ("authority", iri.authority()),
        ("path", Some(iri.path())),
        ("query", iri.query()),
        ("fragment", iri.fragment()),
    ]))
}

/// The functions of iref for URIs or for IRIs, as a module. The crate has the same methods for both, but no trait
/// for them.
macro_rules! iref_functions {
    ($module:ident, $Reference:ident, $Buffer:ident) => {
        mod $module {
            use super::{Answer, Components, Parts, parts};
            use iref::{$Buffer, $Reference};

            pub fn parse(text: &str) -> Answer<Parts> {
                let uri = $Reference::new(text)?;
                Ok(parts([
                    ("scheme", uri.scheme().map(|scheme| scheme.as_str())),
                    (
                        "authority",
                        uri.authority().map(|authority| authority.as_str()),
                    ),
                    (
                        "userinfo",
                        uri.user_info().map(|userinfo| userinfo.as_str()),
                    ),
                    ("host", uri.host().map(|host| host.as_str())),
                    ("port", uri.port().map(|port| port.as_str())),
                    ("path", Some(uri.path().as_str())),
                    ("query", uri.query().map(|query| query.as_str())),
                    ("fragment", uri.fragment().map(|fragment| fragment.as_str())),
                ]))
            }

            pub fn build(given: &Components) -> Answer<String> {
                let mut uri = $Buffer::default();
                uri.try_set_scheme(given.scheme)?;
                uri.try_set_authority(given.authority)?;
                uri.try_set_path(given.path)?;
                uri.try_set_query(given.query)?;
                uri.try_set_fragment(given.fragment)?;
                Ok(uri.to_string())
            }
        }
    };
}

iref_functions!(iref_uris, UriRef, UriRefBuf);
iref_functions!(iref_iris, IriRef, IriRefBuf);
