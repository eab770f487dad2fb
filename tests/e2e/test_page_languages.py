"""Every address of the page on a phone, in an invented language that marks and lengthens all texts.

What is not marked is English that no catalogue knows. What makes the page too wide would do so in
a language with longer words.
"""

from __future__ import annotations

import json
import re

import pytest
from playwright.async_api import Page, Route, expect

from doublecross.client.language import LANGUAGES
from doublecross.client.language.catalogues import texts
from doublecross.client.language.texts import catalogue
from tests.client.web.harness.browser import PageProblems
from tests.client.web.harness.fixtures import Axe, Serve, Visit
from tests.client.web.harness.visitors import go_to
from tests.e2e.test_page_everywhere import NAMES, addresses

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

WIDTH = 360
DATA = re.compile(
    rf"{'|'.join((*NAMES, *LANGUAGES.values()))}|Ann|Doublecross|Spring cup|dots-and-boxes"
    r"|JSON|SVG|PNG|GIF|WebP|\((?:Home|Left|Space|Right|Down|End)\)"
    r"|There is no player nobody\.|nobody"
)
"""Names, formats, keys and sentences of the server, which no language changes."""

UNMARKED = r"""() => {
  const found = new Set();
  const look = (text) => {
    let depth = 0, outside = "";
    for (const each of text) {
      if (each === "⟦") depth += 1;
      if (depth === 0) outside += each;
      if (each === "⟧") { depth -= 1; outside += "|"; }
    }
    for (const run of outside.split("|")) if (/\p{L}{3}/u.test(run)) found.add(run.trim());
  };
  const ours = (element) => !element.closest("code, kbd, noscript, script, svg");
  let all = "";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (ours(node.parentElement)) all += "|" + node.data;
  look(all);
  for (const element of document.body.querySelectorAll("*"))
    for (const name of ["title", "aria-label", "placeholder", "alt"])
      if (element.hasAttribute(name) && ours(element)) look(element.getAttribute(name));
  look(document.title);
  return [...found];
}"""


def invented(text: str) -> str:
    """Return a text between marks, and longer by a third."""
    return f"⟦{text}{' ~~~~' * (len(text) // 15)}⟧"


def script() -> str:
    """Return the catalogue of the invented language."""
    found = {}
    for text in texts():
        if isinstance(text, str):
            found[text] = invented(text)
        else:
            one, many = text
            found |= {f"{many}_one": invented(one), f"{many}_other": invented(many)}
    return f"globalThis.doublecrossTexts = {json.dumps({'language': 'de', 'texts': found})};"


async def unmarked(page: Page) -> list[str]:
    """Return the texts of the page that are no data and in no catalogue."""
    found: list[str] = await page.evaluate(UNMARKED)
    return [each for each in found if re.search(r"[^\W\d_]{3}", DATA.sub("", each))]


async def test_every_address_speaks_the_language_is_accessible_and_fits(
    visit: Visit, serve: Serve, axe: Axe, problems: PageProblems
) -> None:
    problems.allow("404")
    body = script()

    async def answer(route: Route) -> None:
        await route.fulfill(body=body, content_type="text/javascript")

    english, wide, wrong = {}, {}, {}
    async with addresses(serve().url) as known:
        page = await visit("/", width=WIDTH, height=740, touch=True, name="Ann")
        await page.evaluate("localStorage.setItem('doublecross.settings.language', '\"de\"')")
        await page.route("**/language/de.js", answer)
        for route, (address, text) in known.items():
            await go_to(page, address)
            words = re.compile(r"[⟦⟧~\s]*".join(map(re.escape, text.split())), re.IGNORECASE)
            await expect(page.locator("main")).to_contain_text(words)
            await expect(page.locator("html")).to_have_attribute("lang", "de")
            await expect(page.get_by_role("heading", level=1)).to_have_count(1)
            if broken := await axe(page):
                wrong[route] = broken
            if found := await unmarked(page):
                english[route] = found
            across = await page.evaluate("document.documentElement.scrollWidth")
            if across > WIDTH:
                wide[route] = across
    assert english == {}
    assert wide == {}
    assert wrong == {}


async def test_the_person_chooses_the_language(visit: Visit, serve: Serve) -> None:
    serve()
    page = await visit("/", name="Ann", storage={"doublecross.settings.language": '"nl"'})
    await expect(page.locator("html")).to_have_attribute("lang", "nl")
    words = catalogue("nl")
    await page.get_by_role("button", name=words["Settings"], exact=True).click()
    await page.get_by_label(words["Language"]).select_option("fr")
    await expect(page.locator("html")).to_have_attribute("lang", "fr")
