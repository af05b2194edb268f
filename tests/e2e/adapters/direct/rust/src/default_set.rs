//! The libraries of the default set.

use crate::{Answer, Library, message};
use fluent_uri::{Iri, IriRef, Uri, UriRef};
use iri_string::types::{IriReferenceStr, IriStr, UriReferenceStr, UriStr};
use serde_json::json;
use url::Url;

pub fn library(name: &str) -> Library {
    match name {
        "url" => Library {
            parse: Some(parse_url),
            resolve: Some(resolve_url),
            ..Library::default()
        },
        "fluent-uri" => Library {
            parse: Some(parse_fluent),
            resolve: Some(resolve_fluent),
            normalize: Some(normalize_fluent),
            to_uri: None,
        },
        "iri-string" => Library {
            parse: Some(parse_iri_string),
            resolve: Some(resolve_iri_string),
            normalize: Some(normalize_iri_string),
            to_uri: None,
        },
        _ => panic!("unknown library {name}"),
    }
}

/// The types for IRIs; a library without them offers nothing.
pub fn library_of_iris(name: &str) -> Library {
    match name {
        "fluent-uri" => Library {
            parse: Some(parse_fluent_iri),
            resolve: Some(resolve_fluent_iri),
            normalize: Some(normalize_fluent_iri),
            to_uri: Some(map_fluent_iri),
        },
        "iri-string" => Library {
            parse: Some(parse_iri_string_iri),
            resolve: Some(resolve_iri_string_iri),
            normalize: Some(normalize_iri_string_iri),
            to_uri: Some(map_iri_string_iri),
        },
        _ => Library::default(),
    }
}

fn parse_url(text: &str) -> Answer {
    let url = Url::parse(text).map_err(message)?;
    Ok(json!({
        "as_str": url.as_str(),
        "scheme": url.scheme(),
        "has_authority": url.has_authority(),
        "authority": url.authority(),
        "username": url.username(),
        "password": url.password(),
        "host_str": url.host_str(),
        "port": url.port(),
        "path": url.path(),
        "query": url.query(),
        "fragment": url.fragment(),
    }))
}

fn resolve_url(base: &str, reference: &str) -> Answer {
    let base = Url::parse(base).map_err(message)?;
    Ok(json!(base.join(reference).map_err(message)?.as_str()))
}

fn parse_fluent(text: &str) -> Answer {
    let reference = UriRef::parse(text).map_err(message)?;
    let authority = reference.authority();
    Ok(json!({
        "scheme": reference.scheme().map(|scheme| scheme.as_str()),
        "authority": authority.map(|authority| authority.as_str()),
        "authority.userinfo": authority.and_then(|it| it.userinfo()).map(|part| part.as_str()),
        "authority.host": authority.map(|it| it.host()),
        "authority.port": authority.and_then(|it| it.port()).map(|part| part.as_str()),
        "path": reference.path().as_str(),
        "query": reference.query().map(|part| part.as_str()),
        "fragment": reference.fragment().map(|part| part.as_str()),
    }))
}

fn resolve_fluent(base: &str, reference: &str) -> Answer {
    let base = Uri::parse(base).map_err(message)?;
    let reference = UriRef::parse(reference).map_err(message)?;
    Ok(json!(
        reference.resolve_against(&base).map_err(message)?.as_str()
    ))
}

fn normalize_fluent(text: &str) -> Answer {
    Ok(json!(
        UriRef::parse(text).map_err(message)?.normalize().as_str()
    ))
}

fn parse_iri_string(text: &str) -> Answer {
    let reference = UriReferenceStr::new(text).map_err(message)?;
    let authority = reference.authority_components();
    Ok(json!({
        "scheme_str": reference.scheme_str(),
        "authority_str": reference.authority_str(),
        "authority_components.userinfo": authority.and_then(|it| it.userinfo()),
        "authority_components.host": authority.map(|it| it.host()),
        "authority_components.port": authority.and_then(|it| it.port()),
        "path_str": reference.path_str(),
        "query_str": reference.query_str(),
        "fragment_str": reference.fragment_str(),
    }))
}

fn resolve_iri_string(base: &str, reference: &str) -> Answer {
    let base = UriStr::new(base).map_err(message)?;
    let reference = UriReferenceStr::new(reference).map_err(message)?;
    Ok(json!(
        reference.resolve_against(base.to_absolute()).to_string()
    ))
}

fn normalize_iri_string(text: &str) -> Answer {
    Ok(json!(
        UriStr::new(text).map_err(message)?.normalize().to_string()
    ))
}

fn parse_fluent_iri(text: &str) -> Answer {
    let reference = IriRef::parse(text).map_err(message)?;
    let authority = reference.authority();
    Ok(json!({
        "scheme": reference.scheme().map(|scheme| scheme.as_str()),
        "authority": authority.map(|authority| authority.as_str()),
        "authority.userinfo": authority.and_then(|it| it.userinfo()).map(|part| part.as_str()),
        "authority.host": authority.map(|it| it.host()),
        "authority.port": authority.and_then(|it| it.port()).map(|part| part.as_str()),
        "path": reference.path().as_str(),
        "query": reference.query().map(|part| part.as_str()),
        "fragment": reference.fragment().map(|part| part.as_str()),
    }))
}

fn resolve_fluent_iri(base: &str, reference: &str) -> Answer {
    let base = Iri::parse(base).map_err(message)?;
    let reference = IriRef::parse(reference).map_err(message)?;
    Ok(json!(
        reference.resolve_against(&base).map_err(message)?.as_str()
    ))
}

fn normalize_fluent_iri(text: &str) -> Answer {
    Ok(json!(
        IriRef::parse(text).map_err(message)?.normalize().as_str()
    ))
}

fn map_fluent_iri(text: &str) -> Answer {
    Ok(json!(
        IriRef::parse(text).map_err(message)?.to_uri_ref().as_str()
    ))
}

fn parse_iri_string_iri(text: &str) -> Answer {
    let reference = IriReferenceStr::new(text).map_err(message)?;
    let authority = reference.authority_components();
    Ok(json!({
        "scheme_str": reference.scheme_str(),
        "authority_str": reference.authority_str(),
        "authority_components.userinfo": authority.and_then(|it| it.userinfo()),
        "authority_components.host": authority.map(|it| it.host()),
        "authority_components.port": authority.and_then(|it| it.port()),
        "path_str": reference.path_str(),
        "query_str": reference.query_str(),
        "fragment_str": reference.fragment_str(),
    }))
}

fn resolve_iri_string_iri(base: &str, reference: &str) -> Answer {
    let base = IriStr::new(base).map_err(message)?;
    let reference = IriReferenceStr::new(reference).map_err(message)?;
    Ok(json!(
        reference.resolve_against(base.to_absolute()).to_string()
    ))
}

fn normalize_iri_string_iri(text: &str) -> Answer {
    Ok(json!(
        IriStr::new(text).map_err(message)?.normalize().to_string()
    ))
}

fn map_iri_string_iri(text: &str) -> Answer {
    let reference = IriReferenceStr::new(text).map_err(message)?;
    Ok(json!(reference.encode_to_uri().to_string()))
}
