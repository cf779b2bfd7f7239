#!/usr/bin/env python3
"""The page as a browser shows it: headless Chromium, both colour schemes, screen and paper.

usage: browser_test.py THROUGHPUT_REPORT VECTORS_FOLDER

Exit code 77, with a line that says why, where there is no chromium. A probe is put into a copy of
the page, as the page itself runs no script.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

REPORT, VECTORS = sys.argv[1:3]
CHROMIUM = shutil.which("chromium")

PROBE = """<script>
addEventListener("load", () => {
  const box = (e) => e.getBoundingClientRect();
  const pictures = [...document.querySelectorAll("figure")].map((figure) => {
    const svg = figure.querySelector("svg");
    const marks = [...svg.querySelectorAll("path, use, polygon, rect")]
        .filter((e) => !e.closest("defs") && box(e).width + box(e).height > 1);
    const outside = [...svg.querySelectorAll("text")].filter((text) => {
      const b = box(text), s = box(svg);
      return b.width > 0 && (b.left < s.left - 1 || b.right > s.right + 1 || b.top < s.top - 1 ||
                             b.bottom > s.bottom + 1);
    }).map((text) => text.textContent);
    const inks = [...svg.querySelectorAll("path, use, polygon, rect, text")]
        .filter((e) => !e.closest("defs")).flatMap((e) => {
          const style = getComputedStyle(e);
          return e.tagName === "use" ? [style.color] : [style.stroke, style.fill];
        }).filter((colour) => colour.startsWith("rgb"));
    return {id: figure.id, width: box(svg).width, height: box(svg).height, marks: marks.length,
            outside, inks: [...new Set(inks)], rows: figure.querySelectorAll("tbody tr").length,
            label: svg.getAttribute("aria-label")};
  });
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  const page = {pictures, background: getComputedStyle(document.body).backgroundColor,
    ink: getComputedStyle(document.body).color,
    wider: document.documentElement.scrollWidth - innerWidth,
    tables: [...document.querySelectorAll(".table")].map((e) => ({
      name: e.getAttribute("aria-label"), picture: e.closest("figure") !== null,
      hidden: e.scrollWidth - e.clientWidth, scrolls: getComputedStyle(e).overflowX,
      outside: box(e).right - document.documentElement.clientWidth})),
    twice: ids.filter((id, i) => ids.indexOf(id) !== i),
    dangling: [...document.querySelectorAll("a, use")]
        .map((e) => (e.getAttribute("href") || e.getAttribute("xlink:href")).slice(1))
        .filter((id) => !ids.includes(id))};
  const out = document.createElement("pre");
  out.id = "probe";
  out.textContent = JSON.stringify(page);
  document.body.append(out);
});
</script></body>"""


class Browser:
    def __init__(self, folder):
        self.folder = folder

    def run(self, page, *flags):
        command = [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu",
                   "--enable-logging=stderr", f"--user-data-dir={self.folder}/profile",
                   *flags, f"file://{page}"]
        return subprocess.run(command, capture_output=True, text=True, timeout=100, check=True)

    @staticmethod
    def console(result):
        return [line for line in result.stderr.splitlines() if ":CONSOLE" in line]

    def probe(self, page, *flags):
        result = self.run(page, "--dump-dom", *flags)
        found = re.search(r'<pre id="probe">(.*?)</pre>', result.stdout, re.S)
        assert found, "the probe did not run"
        text = found.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
        return json.loads(text)


class PageInABrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.page = os.path.join(cls.scratch.name, "report.html")
        results = [os.path.join(VECTORS, name) for name in ("sweep.json", "over-time.json")]
        subprocess.run([REPORT, *results, "-o", cls.page, "--scaling"], check=True,
                       capture_output=True, timeout=100)
        with open(cls.page, encoding="utf-8") as file:
            html = file.read()
        probed = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", html)
        cls.probed = cls.write("probed.html", probed.replace("</body>", PROBE))
        cls.faulty = cls.write("faulty.html", html.replace("</body>", "<script>x()</script></body>"))
        cls.browser = Browser(cls.scratch.name)

    @classmethod
    def write(cls, name, contents):
        path = os.path.join(cls.scratch.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(contents)
        return path

    def test_the_console_stays_empty(self):
        self.assertEqual(Browser.console(self.browser.run(self.page, "--dump-dom")), [])

    def test_a_script_in_the_page_would_be_refused_and_noticed(self):
        self.assertTrue(Browser.console(self.browser.run(self.faulty, "--dump-dom")))

    def check_pictures(self, page):
        self.assertGreaterEqual(len(page["pictures"]), 8)
        for picture in page["pictures"]:
            with self.subTest(picture["id"]):
                self.assertGreater(picture["width"], 250)
                self.assertGreater(picture["height"], 80)
                self.assertGreater(picture["marks"], 3)
                self.assertGreater(picture["rows"], 0)
                self.assertEqual(picture["outside"], [])
                self.assertGreaterEqual(len(picture["inks"]), 3)  # axes, text and a series
                self.assertNotIn(page["background"], picture["inks"])
                self.assertIn("The table below has its figures", picture["label"])
        self.assertEqual(page["twice"], [])
        self.assertEqual(page["dangling"], [])
        self.assertLessEqual(page["wider"], 0)

    def test_every_picture_is_visible_in_both_schemes(self):
        light = self.browser.probe(self.probed, "--window-size=1280,900")
        dark = self.browser.probe(self.probed, "--window-size=1280,900",
                                  "--blink-settings=preferredColorScheme=0")
        self.check_pictures(light)
        self.check_pictures(dark)
        self.assertNotEqual(light["background"], dark["background"])
        self.assertNotEqual(light["ink"], dark["ink"])
        for by_day, by_night in zip(light["pictures"], dark["pictures"]):
            self.assertEqual(set(by_day["inks"]) & set(by_night["inks"]), set(), by_day["id"])

    def test_a_narrow_screen_needs_no_scrolling_sideways(self):
        self.check_pictures(self.browser.probe(self.probed, "--window-size=500,900"))

    def test_wide_tables_stay_within_their_own_box(self):
        for width in (1100, 700):
            page = self.browser.probe(self.probed, f"--window-size={width},900")
            self.assertLessEqual(page["wider"], 0)
            for table in page["tables"]:
                with self.subTest(width=width, table=table["name"]):
                    self.assertEqual(table["scrolls"], "auto")
                    self.assertLessEqual(table["outside"], 0)
                    if table["picture"]:  # nothing of it is out of sight
                        self.assertLessEqual(table["hidden"], 0)

    def test_paper_has_the_pictures_and_whole_tables(self):
        if not shutil.which("pdftotext"):
            self.skipTest("no pdftotext (package poppler-utils)")
        pdf = os.path.join(self.scratch.name, "report.pdf")
        # In the dark scheme, of which nothing may reach the paper.
        self.browser.run(self.page, f"--print-to-pdf={pdf}", "--no-pdf-header-footer",
                         "--blink-settings=preferredColorScheme=0")
        text = subprocess.run(["pdftotext", "-layout", pdf, "-"], capture_output=True, text=True,
                              timeout=60, check=True).stdout
        with open(os.path.join(VECTORS, "over-time.json"), encoding="utf-8") as file:
            intervals = json.loads(file.readline())["intervals"]
        self.assertIn("load threads", text)  # an axis
        for interval in intervals[:-2]:  # the rest of the window counts with the last
            self.assertIn(f"{interval['end_seconds']:.3f}", text)
        self.assertNotIn("At a glance    Thread scaling", text)  # no navigation


if __name__ == "__main__":
    if CHROMIUM is None:
        print("skipped: no chromium (apt-get install chromium)")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=1)
