//! The libraries of the full set that are not in the default set.

use crate::{Answer, Library, message};
use iref::{Iri as IrefIri, IriRef as IrefIriRef, Uri as IrefUri, UriRef as IrefUriRef};
use oxiri::{Iri, IriRef};
use serde_json::json;
use uriparse::{URI, URIReference};

pub fn library(name: &str) -> Library {
    match name {
        "http" => Library {
            parse: Some(parse_http),
            ..Library::default()
        },
        "uriparse" => Library {
            parse: Some(parse_uriparse),
            resolve: Some(resolve_uriparse),
            normalize: Some(normalize_uriparse),
            to_uri: None,
        },
        "oxiri" => Library {
            parse: Some(parse_oxiri),
            resolve: Some(resolve_oxiri),
            ..Library::default()
        },
        "iref" => Library {
            parse: Some(parse_iref),
            resolve: Some(resolve_iref),
            ..Library::default()
        },
        _ => panic!("unknown library {name}"),
    }
}

/// The types for IRIs; a library without them offers nothing.
pub fn library_of_iris(name: &str) -> Library {
    match name {
        "oxiri" => library(name), // it has IRIs only
        "iref" => Library {
            parse: Some(parse_iref_iri),
            resolve: Some(resolve_iref_iri),
            ..Library::default()
        },
        _ => Library::default(),
    }
}

fn parse_http(text: &str) -> Answer {
    let uri: http::Uri = text.parse().map_err(message)?;
    Ok(json!({
        "scheme_str": uri.scheme_str(),
        "authority": uri.authority().map(|authority| authority.as_str()),
        "host": uri.host(),
        "port": uri.port().map(|port| port.as_str().to_owned()),
        "path": uri.path(),
        "query": uri.query(),
    }))
}

fn parse_uriparse(text: &str) -> Answer {
    let reference = URIReference::try_from(text).map_err(message)?;
    Ok(json!({
        "scheme": reference.scheme().map(|part| part.to_string()),
        "authority": reference.authority().map(|part| part.to_string()),
        "username": reference.username().map(|part| part.to_string()),
        "password": reference.password().map(|part| part.to_string()),
        "host": reference.host().map(|part| part.to_string()),
        "port": reference.port(),
        "path": reference.path().to_string(),
        "query": reference.query().map(|part| part.to_string()),
        "fragment": reference.fragment().map(|part| part.to_string()),
    }))
}

fn resolve_uriparse(base: &str, reference: &str) -> Answer {
    let base = URI::try_from(base).map_err(message)?;
    let reference = URIReference::try_from(reference).map_err(message)?;
    Ok(json!(base.resolve(&reference).to_string()))
}

fn normalize_uriparse(text: &str) -> Answer {
    let mut reference = URIReference::try_from(text).map_err(message)?;
    reference.normalize();
    Ok(json!(reference.to_string()))
}

fn parse_oxiri(text: &str) -> Answer {
    let reference = IriRef::parse(text).map_err(message)?;
    Ok(json!({
        "scheme": reference.scheme(),
        "authority": reference.authority(),
        "path": reference.path(),
        "query": reference.query(),
        "fragment": reference.fragment(),
    }))
}

fn resolve_oxiri(base: &str, reference: &str) -> Answer {
    let base = Iri::parse(base).map_err(message)?;
    let reference = IriRef::parse(reference).map_err(message)?;
    Ok(json!(base.resolve(&reference).map_err(message)?.as_str()))
}

fn parse_iref(text: &str) -> Answer {
    let reference = IrefUriRef::new(text).map_err(message)?;
    Ok(json!({
        "scheme": reference.scheme().map(|part| part.as_str()),
        "authority": reference.authority().map(|part| part.as_str()),
        "user_info": reference.user_info().map(|part| part.as_str()),
        "host": reference.host().map(|part| part.as_str()),
        "port": reference.port().map(|part| part.as_str()),
        "path": reference.path().as_str(),
        "query": reference.query().map(|part| part.as_str()),
        "fragment": reference.fragment().map(|part| part.as_str()),
    }))
}

fn resolve_iref(base: &str, reference: &str) -> Answer {
    let base = IrefUri::new(base).map_err(message)?;
    let reference = IrefUriRef::new(reference).map_err(message)?;
    Ok(json!(reference.resolved(base).as_str()))
}

fn parse_iref_iri(text: &str) -> Answer {
    let reference = IrefIriRef::new(text).map_err(message)?;
    Ok(json!({
        "scheme": reference.scheme().map(|part| part.as_str()),
        "authority": reference.authority().map(|part| part.as_str()),
        "user_info": reference.user_info().map(|part| part.as_str()),
        "host": reference.host().map(|part| part.as_str()),
        "port": reference.port().map(|part| part.as_str()),
        "path": reference.path().as_str(),
        "query": reference.query().map(|part| part.as_str()),
        "fragment": reference.fragment().map(|part| part.as_str()),
    }))
}

fn resolve_iref_iri(base: &str, reference: &str) -> Answer {
    let base = IrefIri::new(base).map_err(message)?;
    let reference = IrefIriRef::new(reference).map_err(message)?;
    Ok(json!(reference.resolved(base).as_str()))
}
