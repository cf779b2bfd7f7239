// Owns the looks of the page.
#include <fmt/format.h>

#include "apps/throughput-report/page.h"
#include "apps/throughput-report/palette.h"

namespace throughput {
namespace {

constexpr std::string_view kLightSurfaces = "--page:#f6f7f9;--card:#ffffff;--line:#dfe3e8;";
constexpr std::string_view kDarkSurfaces = "--page:#12151b;--card:#1a1e26;--line:#2f3540;";

constexpr std::string_view kRules = R"css(
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
body {
  margin: 0; padding: 0 clamp(1rem, 4vw, 3rem) 4rem;
  background: var(--page); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif;
}
header, main { max-width: 78rem; margin: 0 auto; }
header { padding: 3rem 0 1rem; }
.kicker { margin: 0; color: var(--muted); font: 600 .8rem/1.4 ui-monospace, monospace; }
h1 { margin: .2rem 0 .6rem; font-size: clamp(1.7rem, 4vw, 2.4rem); line-height: 1.15;
  letter-spacing: -.02em; }
h2 { margin: 0 0 .3rem; font-size: 1.35rem; letter-spacing: -.01em; }
.lead, .text { margin: 0; color: var(--muted); max-width: 46rem; }
.text { margin-bottom: 1rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; margin: 1.2rem 0 0; padding: .8rem 0 0;
  border-top: 1px solid var(--line); list-style: none; }
a { color: var(--series-1); text-underline-offset: .2em; text-decoration-thickness: 1px; }
section { padding-top: 2.6rem; }
.pictures { display: grid; gap: 1.2rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr)); }
figure { display: flex; flex-direction: column; margin: 0; padding: 1.1rem 1.2rem 1.2rem;
  background: var(--card); border: 1px solid var(--line); border-radius: .6rem; min-width: 0;
  max-width: 44rem; }
figcaption { margin-bottom: .5rem; font-weight: 600; }
svg { display: block; width: 100%; height: auto; margin-bottom: .8rem; color: var(--ink); }
svg g { font-family: inherit; }
.findings { margin: 0 0 1.2rem; padding-left: 1.1rem; max-width: 56rem; }
.findings li { margin: .45rem 0; }
.findings strong { font-weight: 600; }
.table { overflow: auto; max-height: 24rem; border: 1px solid var(--line); border-radius: .4rem;
  background: linear-gradient(to right, var(--card) 1rem, transparent) local,
    linear-gradient(to left, var(--card) 1rem, transparent) right / 2rem 100% no-repeat local,
    linear-gradient(to right, var(--line), transparent .6rem),
    linear-gradient(to left, var(--line), transparent .6rem), var(--card); }
figure .table { margin-top: auto; }
figure :is(th, td) { padding: .3rem .4rem; }
figure table { font-size: .78rem; }
section > .table { margin-top: 1.2rem; max-height: 26rem; }
.table:focus-visible, a:focus-visible { outline: 2px solid var(--series-1); outline-offset: 2px; }
table { width: 100%; border-collapse: collapse; font-size: .82rem; line-height: 1.35;
  font-variant-numeric: tabular-nums; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th, td { padding: .32rem .7rem; text-align: right; vertical-align: top;
  border-top: 1px solid var(--grid); }
th:first-child { text-align: left; font-weight: 500; }
figure tbody th { min-width: 6rem; }
thead th { position: sticky; top: 0; border-top: 0; background: var(--card); color: var(--muted);
  font-weight: 500; box-shadow: inset 0 -1px var(--line); }
#overview :is(td, th):last-child { min-width: 16rem; text-align: left; }
#environment td, #environment thead th { text-align: left; overflow-wrap: anywhere; }
#environment tbody th { color: var(--muted); white-space: nowrap; }
@media print {
  @page { margin: 14mm; }
  body { padding: 0; background: none; font-size: 10pt; }
  header { padding-top: 0; }
  nav { display: none; }
  .pictures { display: block; }
  figure { max-width: none; margin-bottom: 6mm; padding: 0; border: 0; }
  figcaption, svg { break-inside: avoid; break-after: avoid; }
  figure svg { width: 150mm; }
  .table, section > .table { max-height: none; overflow: visible; border: 0;
    background: none; }
  thead th { position: static; }
  tr { break-inside: avoid; }
  h2, .text { break-after: avoid; }
}
)css";

std::string Variables(bool dark) {
  std::string text{dark ? kDarkSurfaces : kLightSurfaces};
  for (const ThemeColour& colour : kTheme) {
    text += fmt::format("--{}:{};", colour.name, dark ? colour.dark : colour.light);
  }
  return text;
}

}  // namespace

std::string StyleSheet() {
  return fmt::format(
      ":root {{ color-scheme: light dark; {} }}\n"
      "@media screen and (prefers-color-scheme: dark) {{ :root {{ {} }} }}\n"
      "@media print {{ :root {{ color-scheme: light; }} }}{}",
      Variables(false), Variables(true), kRules);
}

}  // namespace throughput
