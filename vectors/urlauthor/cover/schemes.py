"""URLs of RFC 1738 from parts, by scheme, with their components and decoded views (sections 3.2 to 3.11)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from urlauthor.cover.arrays import Row
from urlauthor.cover.parts import Component, Form, Level, Model, RowQuestion, cited, read_parts
from urlharness.corpus.specifications import SPECS

#: The ports of the schemes that have one, by section 3.
_PORTS = {
    "ftp": "21", "http": "80", "gopher": "70", "nntp": "119", "telnet": "23", "wais": "210",
    "prospero": "1525",
}  # fmt: skip
_LARGEST_PORT = 65535

#: The RFC whose schemes have rules of their own.
SPEC = next(spec for spec, known in SPECS.items() if known.by_scheme)
_WITHOUT_HOST = ("news", "mailto")
#: The schemes with the most forms, whose URLs are also asked for a verdict.
_RICHEST = ("ftp", "http", "gopher", "file")

Texts = Mapping[str, str | None]


def scheme_models() -> Iterator[Model]:
    """Yield the models of RFC 1738.

    Each scheme has a model for parsing and one for decoding.  Some schemes also have models for valid URLs
    and for refused parts.
    """
    places = {one.name: one for one in read_parts().components if one.name in ("host", "port")}
    for form in read_parts().forms:
        known = {one.name: one for one in form.components}
        if form.scheme not in _WITHOUT_HOST:
            known["host"] = places["host"]
            if form.scheme != "file":
                known["port"] = places["port"]
        for op in ("parse", "decode", "validate")[: 3 if form.scheme in _RICHEST else 2]:
            yield _model(form, known, op)
        if form.scheme in ("http", "wais", "file"):
            yield _refusing(form, known)


def _levels(known: Mapping[str, Component], form: Form) -> dict[str, dict[str, Level]]:
    found = {
        name: {part.name: part for part in one.parts if cited(one, part, SPEC) is not None}
        for name, one in known.items()
    }
    if form.scheme == "file":
        found["host"]["empty"] = Level(name="empty", text="", cites={SPEC: "3.10-local"})
    return found


def _model(form: Form, known: Mapping[str, Component], op: str) -> Model:
    parts = _levels(known, form)

    def texts_of(row: Row) -> dict[str, str | None]:
        return {name: parts[name][level].text for name, level in row.items()}

    def allowed(row: Row) -> bool:
        return _fits(form.scheme, texts_of(row))

    def ask(row: Row) -> RowQuestion:
        texts = texts_of(row)
        url = _written(form.scheme, texts)
        ruling = "R-1738-10" if int(texts.get("port") or 0) > _LARGEST_PORT else None
        if op == "validate":
            fields = {"rule": "url", "url": url, "expect": {"valid": True}}
            return RowQuestion(_cites(row, known, parts), fields, ruling)
        if op == "parse":
            found = _components(form.scheme, texts)
            return RowQuestion(
                _cites(row, known, parts), {"url": url, "expect": {"components": found}}, ruling
            )
        view = _view(form.scheme, {name: parts[name][level] for name, level in row.items()})
        decodes = _gopher_decodes(texts) if form.scheme == "gopher" else form.decodes
        if form.scheme == "file" and (texts["host"] or "").replace(".", "").isdigit():
            decodes = "3.10-form"  # the statement about host and path speaks of domain names
        return RowQuestion(decodes, {"url": url, "expect": {"decoded": view}}, ruling)

    factors = {name: list(found)[:: -1 if op == "validate" else 1] for name, found in parts.items()}
    return Model(f"{op}-{form.scheme}", SPEC, factors, (), allowed, ask)


def _refusing(form: Form, known: Mapping[str, Component]) -> Model:
    """Combine the refused hosts and ports with what can follow them, without user information before them."""
    refused = {
        f"{name} {part.name}": (name, part)
        for name in ("host", "port")
        if name in known
        for part in known[name].parts
        if SPEC in part.refused
    }
    parts = _levels(known, form)
    factors = {
        "refused": list(refused),
        **{
            name: [part.name for part in found.values() if part.common][:2] or list(found)[:2]
            for name, found in parts.items()
        },
    }
    if form.scheme == "file":
        factors["refused"] = [name for name in factors["refused"] if not name.startswith("port")]

    def texts_of(row: Row) -> dict[str, str | None]:
        texts = {name: parts[name][level].text for name, level in row.items() if name != "refused"}
        if "refused" in row:
            name, part = refused[row["refused"]]
            texts[name] = part.text
        return texts

    def allowed(row: Row) -> bool:
        name = refused[row["refused"]][0] if "refused" in row else None
        plain = name is None or name not in row or row[name] == factors[name][0]
        return plain and _fits(form.scheme, texts_of(row))

    def ask(row: Row) -> RowQuestion:
        name, part = refused[row["refused"]]
        cites, at = part.refused[SPEC]
        texts = texts_of(row)
        start = len(f"{form.scheme}://") + (len(texts["host"] or "") + 1 if name == "port" else 0)
        expected = {"valid": False, "at": start + at}
        return RowQuestion(cites, {"rule": "url", "url": _written(form.scheme, texts), "expect": expected})

    return Model(f"refuse-{form.scheme}", SPEC, factors, (), allowed, ask)


def _cites(row: Row, known: Mapping[str, Component], parts: Mapping[str, Mapping[str, Level]]) -> str:
    """Return the statement of the first part that is not common, or of the first part if all are common."""
    rare = next((name for name, level in row.items() if not parts[name][level].common), next(iter(row)))
    part = parts[rare][row[rare]]
    return part.cites.get(SPEC) or known[rare].cites[SPEC]


def _fits(scheme: str, texts: Texts) -> bool:
    """Return False if these parts cannot stand together in a URL of the scheme.

    A part that is not yet chosen is missing in `texts`, and does no harm.
    """

    def needs(name: str, other: str) -> bool:
        return texts.get(name) is None or other not in texts or texts[other] is not None

    match scheme:
        case "ftp" | "telnet":
            return needs("password", "user") and needs("ftptype", "fpath")
        case "http":
            return needs("search", "hpath")
        case "gopher":
            bare = "gtype" in texts and texts["gtype"] is None
            others = texts.get("search") is not None or texts.get("selector", "sel") != "sel"
            return needs("gopher+_string", "search") and not (bare and others)
        case "wais":
            both = needs("wtype", "wpath") and needs("wpath", "wtype")
            return both and (texts.get("search") is None or texts.get("wtype") is None)
    return True


def _written(scheme: str, texts: Texts) -> str:  # noqa: C901 - a case for each scheme
    """Return the whole URL, by the form of the scheme."""

    def marked(mark: str, name: str) -> str:
        return "" if texts[name] is None else f"{mark}{texts[name]}"

    if scheme == "news":
        return f"news:{texts['grouppart']}"
    if scheme == "mailto":
        return f"mailto:{texts['encoded822addr']}"
    start = f"{scheme}://"
    if "user" in texts and texts["user"] is not None:
        start += texts["user"] + marked(":", "password") + "@"
    start += (texts["host"] or "") + (marked(":", "port") if "port" in texts else "")
    match scheme:
        case "ftp":
            return start + marked("/", "fpath") + marked(";type=", "ftptype")
        case "http":
            return start + marked("/", "hpath") + marked("?", "search")
        case "gopher":
            if texts["gtype"] is None:
                return start
            path = f"/{texts['gtype']}{texts['selector']}"
            return start + path + marked("%09", "search") + marked("%09", "gopher+_string")
        case "telnet":
            return start + marked("", "slash")
        case "nntp":
            return start + marked("/", "group") + marked("/", "digits")
        case "wais":
            return (
                start
                + marked("/", "database")
                + marked("?", "search")
                + marked("/", "wtype")
                + marked("/", "wpath")
            )
        case "prospero":
            return start + marked("/", "ppath") + marked("", "fieldspecs")
    return start + marked("/", "fpath")


def _fields(text: str | None) -> list[list[str]] | None:
    """Return the pairs (name, value) of fields such as `;a=1;b=2`."""
    return None if text is None else [one.split("=") for one in text[1:].split(";")]


def _components(scheme: str, texts: Texts) -> dict[str, Any]:
    """Return the components with the names of the RFC."""
    if scheme == "news":
        return {"scheme": scheme, **_news(texts["grouppart"] or "", texts["grouppart"])}
    found: dict[str, Any] = {"scheme": scheme, **texts}
    found.pop("slash", None)
    if scheme == "gopher" and texts["gtype"] is None:
        found["selector"] = None
    if scheme == "prospero":
        found["fieldspecs"] = _fields(texts["fieldspecs"])
    return found


def _news(text: str, value: Any) -> dict[str, Any]:
    kind = "article" if "@" in text else "grouppart" if text == "*" else "group"
    return {"group": None, "article": None, "grouppart": None, kind: value}


def _value(part: Level) -> Any:
    """Return the decoded text of a part."""
    if part.decoded is not msgspec.UNSET:
        return part.decoded
    assert "%" not in (part.text or ""), part
    return part.text


def _pieces(part: Level) -> tuple[list[Any], Any]:
    """Return the decoded directories and the name of a path."""
    if part.decoded is not msgspec.UNSET:
        return part.decoded[0], part.decoded[1]
    *directories, name = (part.text or "").split("/")
    return list(directories), name


def _view(scheme: str, parts: Mapping[str, Level]) -> dict[str, Any]:  # noqa: C901 - likewise
    """Return the decoded view."""
    if scheme == "mailto":
        return {"scheme": scheme, "address": _value(parts["encoded822addr"])}
    if scheme == "news":
        return {"scheme": scheme, **_news(parts["grouppart"].text or "", _value(parts["grouppart"]))}
    found: dict[str, Any] = {"scheme": scheme, "host": parts["host"].text}
    if scheme in _PORTS:
        found |= {"port": parts["port"].text, "default_port": _PORTS[scheme]}
    found |= {name: _value(parts[name]) for name in ("user", "password") if name in parts}
    match scheme:
        case "ftp":
            cwd, name = _pieces(parts["fpath"])
            found |= {"cwd": cwd, "name": name, "typecode": parts["ftptype"].text}
        case "http":
            path = parts["hpath"]
            plain = path.text.split("/") if path.text is not None and path.decoded is msgspec.UNSET else None
            segments = plain if path.decoded is msgspec.UNSET else path.decoded
            found |= {"segments": segments, "search": _value(parts["search"])}
        case "gopher":
            found |= _gopher(parts)
        case "nntp":
            found |= {"group": parts["group"].text, "digits": parts["digits"].text}
        case "wais":
            found |= {name: _value(parts[name]) for name in ("database", "search", "wtype", "wpath")}
        case "file":
            directories, name = _pieces(parts["fpath"])
            local = (parts["host"].text or "").lower() in ("", "localhost")
            found |= {"local": local, "directories": directories, "name": name}
        case "prospero":
            fields = parts["fieldspecs"]
            decoded = _fields(fields.text) if fields.decoded is msgspec.UNSET else fields.decoded
            found |= {"hsoname": _value(parts["ppath"]), "fields": decoded}
    return found


def _gopher_decodes(texts: Texts) -> str:
    """Return the statement about what is sent for a gopher path with these parts."""
    if texts["gtype"] is None:
        return "3.4.1-default-type"
    if texts["search"] is None:
        return "3.4.1-send-selector"
    return "3.4.2-search-send" if texts["gopher+_string"] is None else "3.4.3-plus-send"


def _gopher(parts: Mapping[str, Level]) -> dict[str, Any]:
    """Return the decoded view of a gopher path.

    The parts of the request are joined by tabs (sections 3.4.1 to 3.4.3).
    """
    if parts["gtype"].text is None:
        return {"gtype": "1", "selector": "", "search": None, "gopher+_string": None, "request": ""}
    names = ("selector", "search", "gopher+_string")
    values = {name: _value(parts[name]) for name in names}
    request = "\t".join(value for value in values.values() if value is not None)
    return {"gtype": _value(parts["gtype"]), **values, "request": request}
