"""The differences between commit b0feebb4 and today that are no regressions, each with its reason."""

from __future__ import annotations

from checkouts.differences import Expected, Rewording

BYTES = r"a byte that is no UTF-8 is shown as \xff"
BROWSERS = "RFC 3986 comes first, and browsers are shown beside the RFCs"
CITED = "a ruling is cited where an answer rests on it, and nowhere else"
CAMPAIGN = "a campaign has one finding for each key of a difference, stored in its finding.json"
CAUSES = "a class is named by what differs in two answers, and a cause by the RFC that confirms it"
NEAREST = "a nearest text is near the error and keeps the host, and says how much it escapes"
PAGES = "a comparison counts all questions, names the ruling of each answer and shows exploits first"
PORTS = "RFC 6455 gives default ports to ws and wss, so two vectors admit two answers"
STEPS = "a step of a resolution has fields"

REWORDINGS = (
    Rewording(BYTES, r"U\+DCFF", r"the byte \\xff"),
    Rewording(BYTES, r"\\u\{dcff\}", r"\\xff"),
)

EXPECTED = (
    Expected(
        "an InvalidURL has the arguments text, RFC and rule; all else are properties", place="*.args[[]*"
    ),
    Expected(PORTS, call="python: *ws://*", after="port-removed"),
    Expected(PORTS, call="what an adapter is sent [23]: run *", place="std*", before=r"\b4\d\d\b"),
    Expected(PORTS, call="configured gate *: run urllib *", before=r" 3,472 ", after=r" 3,470 "),
    Expected("vectors cite other rulings, so the corpus has another digest", call="python: the corpus"),
    Expected(STEPS, call="python: explain *", place="*.steps[[]*", before="^absent$"),
    Expected(BROWSERS, call="one text under each RFC *", place="stdout[[]]"),
    Expected(BROWSERS, call="explanations *: explain *", place="stdout[[]]"),
    Expected(BROWSERS, call="*: ask *", place="stdout[[]]"),
    Expected(BROWSERS, place="*.browsers*", before="^absent$"),
    Expected(NEAREST, place="*.nearest*"),
    Expected(
        "the rules of the scheme are shown too", call="*: equivalent *", place="*.scheme*", before="^absent$"
    ),
    Expected("help speaks of valid URLs", call="help: *", before="deriv"),
    Expected(CITED, place="*.ruling"),
    Expected(CITED, place="*.rulings*"),
    Expected(CITED, call="explanations *: section rfc3986 5.2.2", before=r"^  R-3986-(08|12) "),
    Expected(CITED, call="explanations *: ruling R-3986-08", before=r"^  rfc3986-", after="^absent$"),
    Expected(CITED, place="*.blocks.details.cases*", before=r"^([RG]-[\d-]+)?$", after=r"^([RG]-[\d-]+)?$"),
    Expected(CITED, before=r"section.* by [RG]-", after="section"),
    Expected(CITED, before="section", after=r"section.* by [RG]-"),
    Expected(CAUSES, place="*.html.blocks.details.differences.*"),
    Expected(CAUSES, call="*: compare *", place="stdout*", before=", 1 question$", after=", 1 question$"),
    Expected(PAGES, call="comparisons *: compare *", place="*.md[[]*"),
    Expected(CAMPAIGN, call="campaigns *"),
    Expected(CAMPAIGN, call="what an adapter is sent *fuzz run *"),
)
