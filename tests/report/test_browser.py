"""The page in a real browser: headless Chromium, where one is installed."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import escape, unescape

import pytest

import tests.analysis.kit as kit
from fiveup_sim.report.write import write_report

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")

# the page in frames as wide as a telephone and a screen; what a reader would find there is written into the result
_HARNESS = """<!doctype html><body><pre id="result"></pre><script>

function look(width) {
  return new Promise((done) => {
    const frame = document.createElement("iframe");
    frame.style = `width: ${width}px; border: 0`;
    frame.onload = () => setTimeout(() => done(examine(frame.contentDocument)), 200);
    frame.srcdoc = PAGE;
    document.body.append(frame);
  });
}
function examine(page) {
  const images = [...page.images];
  const tables = [...page.querySelectorAll("table.sortable")];
  return {
    width: page.documentElement.scrollWidth,
    images: images.length,
    broken: images.filter((image) => !image.complete || !image.naturalWidth).map((image) => image.alt),
    smallest: Math.min(...images.map((image) => image.width / (image.getAttribute("width") || 1))),
    tables: tables.length,
    sorted: tables.map(sort_by_each_column),
  };
}
function sort_by_each_column(table) {
  return [...table.tHead.rows[0].cells].map((head, i) => {
    const column = () => [...table.tBodies[0].rows].map(({cells}) => [cells[i].dataset.order, cells[i].textContent]);
    head.firstChild.click();
    const up = column();
    head.firstChild.click();
    return {up, down: column(), says: head.getAttribute("aria-sort")};
  });
}
Promise.all([look(400), look(1400)]).then((both) => {
  document.querySelector("#result").textContent = JSON.stringify(both);
});
</script>"""


@pytest.fixture(scope="module")
def browsed(tmp_path_factory):
    """What the browser found at 400 and 1400 pixels, and what it said."""
    directory = tmp_path_factory.mktemp("browser")
    page = write_report(kit.tournament(kit.greedy, kit.plain, kit.last, games=200), directory)
    text = json.dumps(page.read_text(encoding="utf-8")).replace("</", "<\\/").replace("<!--", "<\\!--")
    harness = directory / "harness.html"
    harness.write_text(_HARNESS.replace("PAGE;", f"{text};"), encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
    options += [f"--user-data-dir={directory / 'profile'}", "--enable-logging=stderr"]
    options += ["--hide-scrollbars", "--window-size=1500,2000", "--virtual-time-budget=20000"]
    options += ["--dump-dom", harness.as_uri()]
    run = subprocess.run([CHROMIUM, *options], capture_output=True, text=True, timeout=120, check=True)
    found = re.search(r'<pre id="result">(.+?)</pre>', run.stdout, re.DOTALL)
    assert found, run.stderr[-2000:]
    return json.loads(unescape(found[1])), run.stderr


def test_nothing_is_said_on_the_console(browsed):
    assert "CONSOLE" not in browsed[1]


def test_every_image_loads_and_stays_legible(browsed):
    for found in browsed[0]:
        assert found["images"] >= 15 and found["broken"] == []
        assert found["smallest"] > 0.75  # text of 9 points stays above 9 pixels


def test_nothing_is_wider_than_the_window(browsed):
    assert [found["width"] for found in browsed[0]] == [400, 1400]


def test_every_table_sorts_by_every_column(browsed):
    for found in browsed[0]:
        assert found["tables"] >= 15
        for column in (column for table in found["sorted"] for column in table):
            numbers = [float(order) for order, _ in column["up"] if order not in (None, "nan")]
            assert numbers == sorted(numbers)
            assert column["down"] == column["up"][::-1] and column["says"] == "descending"


def test_a_title_is_text_and_not_markup(tmp_path):
    evil = '<script>alert("x")</script>'
    page = write_report(kit.match(kit.greedy, kit.plain, games=2), tmp_path, question=evil, sections=["ranking"])
    assert evil not in page.read_text(encoding="utf-8") and escape(evil, quote=False)[:14] in page.read_text("utf-8")
