"""URLs of RFC 1738 from parts, by scheme, with their components and decoded views (sections 3.2 to 3.11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from urlauthor.cover.arrays import Row
from urlauthor.cover.parts import (
    Component,
    Form,
    Level,
    Model,
    RowQuestion,
    allowed_parts,
    read_parts,
    refused_parts,
)
from urlharness.corpus.specifications import SPECS

#: The ports of the schemes that have one, by section 3.
_PORTS = {
    "ftp": "21",
    "http": "80",
    "gopher": "70",
    "nntp": "119",
    "telnet": "23",
    "wais": "210",
    "prospero": "1525",
}
_LARGEST_PORT = 65535

#: The RFC whose schemes have rules of their own.
SPEC = next(spec for spec, spec_facts in SPECS.items() if spec_facts.by_scheme)
_WITHOUT_HOST = ("news", "mailto")
#: The schemes with the most forms, whose URLs are also asked for a verdict.
_RICHEST = ("ftp", "http", "gopher", "file")
#: The schemes whose URLs are also made with refused hosts and ports.
_REFUSING = ("http", "wais", "file")

Texts = Mapping[str, str | None]
#: Maps each component of a URL to its part.
_Parts = Mapping[str, Level]


def scheme_models() -> Iterator[Model]:
    """Yield the models of RFC 1738.

    Each scheme has a model for parsing and one for decoding.  Some schemes also have models for valid URLs
    and for refused parts.
    """
    for form in read_parts().forms:
        table = _SchemeTable(form)
        levels = {name: list(parts) for name, parts in table.levels.items()}
        yield _model(table, "parse", levels, _ask_to_parse)
        yield _model(table, "decode", levels, _ask_to_decode)
        if form.scheme in _RICHEST:
            # in another order, so that these URLs are others than those to parse
            levels_from_last = {name: list(reversed(names)) for name, names in levels.items()}
            yield _model(table, "validate", levels_from_last, _ask_to_validate)
        if form.scheme in _REFUSING:
            yield _RefusedPlaces(table).model()


class _SchemeTable:
    """The components of the URLs of a scheme, and their allowed parts by name."""

    def __init__(self, form: Form) -> None:
        """Read the parts of a scheme. A file URL can also have an empty host (section 3.10)."""
        self.form = form
        self.components = {component.name: component for component in _components_of(form)}
        self.levels: dict[str, dict[str, Level]] = {}
        for name, component in self.components.items():
            self.levels[name] = {part.name: part for part in allowed_parts(component, SPEC)}
        if form.scheme == "file":
            self.levels["host"]["empty"] = Level(name="empty", text="", cites={SPEC: "3.10-local"})

    def parts(self, row: Row) -> dict[str, Level]:
        """Return the allowed parts of a row."""
        return {name: self.levels[name][level] for name, level in row.items() if name in self.levels}

    def statement(self, row: Row) -> str:
        """Return the statement of the first part that is not common, or of the first part if all are."""
        parts = self.parts(row)
        uncommon = [name for name, part in parts.items() if not part.common]
        name = next(iter(uncommon or parts))
        return parts[name].cites.get(SPEC) or self.components[name].cites[SPEC]


def _components_of(form: Form) -> Iterator[Component]:
    """Yield the components of a scheme, then host and port if its URLs have them."""
    yield from form.components
    if form.scheme in _WITHOUT_HOST:
        return
    generic = {component.name: component for component in read_parts().components}
    yield generic["host"]
    if form.scheme != "file":
        yield generic["port"]


def _texts(parts: _Parts) -> dict[str, str | None]:
    """Return the texts of parts, None for those that stand for an absent component."""
    return {name: part.text for name, part in parts.items()}


def _model(
    table: _SchemeTable,
    op: str,
    factors: Mapping[str, Sequence[str]],
    ask_about_row: Callable[[_SchemeTable, Row], RowQuestion],
) -> Model:
    """Return a model that combines all parts of a scheme's URLs."""
    allowed = partial(_can_stand_together, table)
    ask = partial(ask_about_row, table)
    return Model(f"{op}-{table.form.scheme}", SPEC, factors, (), allowed, ask)


def _can_stand_together(table: _SchemeTable, row: Row) -> bool:
    """Return False if the parts of a row cannot stand together in a URL."""
    return _fits(table.form.scheme, _texts(table.parts(row)))


def _ask_to_parse(table: _SchemeTable, row: Row) -> RowQuestion:
    """Return the question for the components of a row's URL."""
    scheme = table.form.scheme
    texts = _texts(table.parts(row))
    fields = {"url": _whole_url(scheme, texts), "expect": {"components": _components(scheme, texts)}}
    return RowQuestion(table.statement(row), fields, _ruling_on_port(texts))


def _ask_to_decode(table: _SchemeTable, row: Row) -> RowQuestion:
    """Return the question for the decoded view of a row's URL."""
    scheme = table.form.scheme
    parts = table.parts(row)
    texts = _texts(parts)
    fields = {"url": _whole_url(scheme, texts), "expect": {"decoded": _view(scheme, parts)}}
    return RowQuestion(_statement_on_view(table.form, texts), fields, _ruling_on_port(texts))


def _ask_to_validate(table: _SchemeTable, row: Row) -> RowQuestion:
    """Return the question whether a row's URL is valid, which it is."""
    texts = _texts(table.parts(row))
    fields = {"rule": "url", "url": _whole_url(table.form.scheme, texts), "expect": {"valid": True}}
    return RowQuestion(table.statement(row), fields, _ruling_on_port(texts))


def _ruling_on_port(texts: Texts) -> str | None:
    """Return the ruling by which a port has no upper bound, if the port of a URL is a large one."""
    return "R-1738-10" if int(texts.get("port") or 0) > _LARGEST_PORT else None


def _statement_on_view(form: Form, texts: Texts) -> str:
    """Return the statement about the decoded view of a URL."""
    if form.scheme == "gopher":
        return _statement_on_request(texts)
    if form.scheme == "file" and (texts["host"] or "").replace(".", "").isdigit():
        return "3.10-form"  # the statement about host and path speaks of domain names
    return form.decodes


def _statement_on_request(texts: Texts) -> str:
    """Return the statement about what is sent for a gopher path with these parts."""
    if texts["gtype"] is None:
        return "3.4.1-default-type"
    if texts["search"] is None:
        return "3.4.1-send-selector"
    return "3.4.2-search-send" if texts["gopher+_string"] is None else "3.4.3-plus-send"


class _RefusedPlaces:
    """A model that combines the refused hosts and ports with what can follow them.

    No user information stands before them.  The refused part takes the place of the first level of its
    component.
    """

    def __init__(self, table: _SchemeTable) -> None:
        """Take the refused hosts and ports of a scheme, and two levels of each component around them."""
        self._table = table
        self._scheme = table.form.scheme
        components = [table.components[name] for name in ("host", "port") if name in table.components]
        self._refused = refused_parts(components, SPEC)
        self._context = {name: _first_levels(levels) for name, levels in table.levels.items()}

    def model(self) -> Model:
        """Return the model, whose URLs are all invalid."""
        factors = {"refused": list(self._refused), **self._context}
        return Model(f"refuse-{self._scheme}", SPEC, factors, (), self._allowed, self._ask)

    def _texts(self, row: Row) -> dict[str, str | None]:
        """Return the texts of the components in a row, that of the refused part in its component."""
        texts = _texts(self._table.parts(row))
        if "refused" in row:
            name, part = self._refused[row["refused"]]
            texts[name] = part.text
        return texts

    def _allowed(self, row: Row) -> bool:
        """Return True unless a row has a refused part where that part is valid, or that no URL can have."""
        if "refused" in row:
            name, _ = self._refused[row["refused"]]
            if name in row and row[name] != self._context[name][0]:
                return False
        return _fits(self._scheme, self._texts(row))

    def _ask(self, row: Row) -> RowQuestion:
        """Return the question about the URL of a row, which is refused because of one part."""
        name, part = self._refused[row["refused"]]
        cites, at = part.refused[SPEC]
        texts = self._texts(row)
        before = f"{self._scheme}://"
        if name == "port":
            before += f"{texts['host'] or ''}:"
        expected = {"valid": False, "at": len(before) + at}
        url = _whole_url(self._scheme, texts)
        return RowQuestion(cites, {"rule": "url", "url": url, "expect": expected})


def _first_levels(levels: Mapping[str, Level]) -> list[str]:
    """Return the first two common levels of a component, or its first two levels if none is common."""
    common = [part.name for part in levels.values() if part.common]
    return (common or list(levels))[:2]


def _fits(scheme: str, texts: Texts) -> bool:
    """Return False if these parts cannot stand together in a URL of the scheme.

    A part that is not yet chosen is missing in `texts`, and does no harm.
    """
    match scheme:
        case "ftp" | "telnet":
            return not (_is_alone(texts, "password", "user") or _is_alone(texts, "ftptype", "fpath"))
        case "http":
            return not _is_alone(texts, "search", "hpath")
        case "gopher":
            has_lone_string = _is_alone(texts, "gopher+_string", "search")
            return not has_lone_string and not _is_gopher_path_without_type(texts)
        case "wais":
            if _is_alone(texts, "wtype", "wpath") or _is_alone(texts, "wpath", "wtype"):
                return False
            is_document = texts.get("wtype") is not None
            is_search = texts.get("search") is not None
            return not (is_document and is_search)
    return True


def _is_alone(texts: Texts, name: str, needed: str) -> bool:
    """Return True if a component is present without another one that it needs, and that is absent."""
    return texts.get(name) is not None and needed in texts and texts[needed] is None


def _is_gopher_path_without_type(texts: Texts) -> bool:
    """Return True if there is no type before a selector or a search string.

    No selector is written after an absent type.  The first level of the selector stands for that.
    """
    has_type = texts.get("gtype", "") is not None
    has_selector = texts.get("selector", "sel") != "sel"
    return not has_type and (has_selector or texts.get("search") is not None)


def _whole_url(scheme: str, texts: Texts) -> str:
    """Return the whole URL, by the form of the scheme."""
    if scheme == "news":
        return f"news:{texts['grouppart']}"
    if scheme == "mailto":
        return f"mailto:{texts['encoded822addr']}"
    login = ""
    if texts.get("user") is not None:
        login = f"{texts['user']}{_marked(texts, ':', 'password')}@"
    port = _marked(texts, ":", "port") if "port" in texts else ""
    return f"{scheme}://{login}{texts['host'] or ''}{port}{_url_path(scheme, texts)}"


def _url_path(scheme: str, texts: Texts) -> str:
    """Return what follows the port, by the form of the scheme."""
    if scheme == "gopher" and texts["gtype"] is None:
        return ""
    return "".join(_marked(texts, mark, name) for name, mark in _MARKS_OF_PATHS[scheme].items())


#: The mark before each component that follows the port, in their order.
_MARKS_OF_PATHS: Mapping[str, Mapping[str, str]] = {
    "ftp": {"fpath": "/", "ftptype": ";type="},
    "http": {"hpath": "/", "search": "?"},
    "gopher": {"gtype": "/", "selector": "", "search": "%09", "gopher+_string": "%09"},
    "telnet": {"slash": ""},
    "nntp": {"group": "/", "digits": "/"},
    "wais": {"database": "/", "search": "?", "wtype": "/", "wpath": "/"},
    "prospero": {"ppath": "/", "fieldspecs": ""},
    "file": {"fpath": "/"},
}


def _marked(texts: Texts, mark: str, name: str) -> str:
    """Return a component after its mark, or an empty text if it is absent."""
    return "" if texts[name] is None else f"{mark}{texts[name]}"


def _fields(text: str | None) -> list[list[str]] | None:
    """Return the pairs (name, value) of fields such as `;a=1;b=2`."""
    return None if text is None else [field.split("=") for field in text[1:].split(";")]


def _components(scheme: str, texts: Texts) -> dict[str, Any]:
    """Return the components with the names of the RFC."""
    if scheme == "news":
        text = texts["grouppart"] or ""
        return {"scheme": scheme, **_news(text, text_in_answer=texts["grouppart"])}
    components: dict[str, Any] = {"scheme": scheme, **texts}
    components.pop("slash", None)
    if scheme == "gopher" and texts["gtype"] is None:
        components["selector"] = None
    if scheme == "prospero":
        components["fieldspecs"] = _fields(texts["fieldspecs"])
    return components


def _news(text: str, *, text_in_answer: Any) -> dict[str, Any]:
    """Return the parts of a news URL, of which one is present; `text` decides which.

    The present part has `text_in_answer`: the text as it is, or decoded.
    """
    if "@" in text:
        present = "article"
    elif text == "*":
        present = "grouppart"
    else:
        present = "group"
    return {"group": None, "article": None, "grouppart": None, present: text_in_answer}


def _decoded(part: Level) -> Any:
    """Return the decoded text of a part."""
    if part.decoded is not msgspec.UNSET:
        return part.decoded
    assert "%" not in (part.text or ""), part
    return part.text


def _decoded_path(part: Level) -> tuple[list[Any], Any]:
    """Return the decoded directories and the name of a path."""
    if part.decoded is not msgspec.UNSET:
        directories, name = part.decoded
        return directories, name
    *directories, name = (part.text or "").split("/")
    return list(directories), name


# ---- decoded views


def _view(scheme: str, parts: _Parts) -> dict[str, Any]:
    """Return the decoded view of a URL: its scheme, and the fields that RFC 1738 defines for the scheme.

    Except for mailto and news, the host is one of them. Texts are decoded, a path is a list of its segments.
    """
    if scheme == "mailto":
        return {"scheme": scheme, "address": _decoded(parts["encoded822addr"])}
    if scheme == "news":
        grouppart = parts["grouppart"]
        return {"scheme": scheme, **_news(grouppart.text or "", text_in_answer=_decoded(grouppart))}
    view: dict[str, Any] = {"scheme": scheme, "host": parts["host"].text}
    if scheme in _PORTS:
        view |= {"port": parts["port"].text, "default_port": _PORTS[scheme]}
    view |= {name: _decoded(parts[name]) for name in ("user", "password") if name in parts}
    return view | _view_of_path(scheme, parts)


def _view_of_path(scheme: str, parts: _Parts) -> dict[str, Any]:
    """Return the decoded view of what follows the port, empty for a scheme that is not listed here."""
    match scheme:
        case "ftp":
            directories, name = _decoded_path(parts["fpath"])
            return {"cwd": directories, "name": name, "typecode": parts["ftptype"].text}
        case "http":
            return {"segments": _segments(parts["hpath"]), "search": _decoded(parts["search"])}
        case "gopher":
            return _view_of_gopher_path(parts)
        case "nntp":
            return {"group": parts["group"].text, "digits": parts["digits"].text}
        case "wais":
            return {name: _decoded(parts[name]) for name in ("database", "search", "wtype", "wpath")}
        case "file":
            directories, name = _decoded_path(parts["fpath"])
            is_local = (parts["host"].text or "").lower() in ("", "localhost")
            return {"local": is_local, "directories": directories, "name": name}
        case "prospero":
            fields = parts["fieldspecs"]
            decoded = _fields(fields.text) if fields.decoded is msgspec.UNSET else fields.decoded
            return {"hsoname": _decoded(parts["ppath"]), "fields": decoded}
    return {}


def _segments(path: Level) -> Any:
    """Return the decoded segments of an http path, or None if there is no path."""
    if path.decoded is not msgspec.UNSET:
        return path.decoded
    return None if path.text is None else path.text.split("/")


def _view_of_gopher_path(parts: _Parts) -> dict[str, Any]:
    """Return the decoded view of a gopher path.

    The parts of the request are joined by tabs (sections 3.4.1 to 3.4.3).
    """
    if parts["gtype"].text is None:
        return {"gtype": "1", "selector": "", "search": None, "gopher+_string": None, "request": ""}
    decoded = {name: _decoded(parts[name]) for name in ("selector", "search", "gopher+_string")}
    request = "\t".join(text for text in decoded.values() if text is not None)
    return {"gtype": _decoded(parts["gtype"]), **decoded, "request": request}
