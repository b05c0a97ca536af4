"""How a report looks, on a light and on a dark screen and on paper."""

from __future__ import annotations

from typing import Final

STYLE: Final = """
:root { color-scheme: light dark; --ink: #1d2227; --paper: #fff; --line: #c9d0d6; --mark: #0b63b0;
  --soft: #f2f5f7; --sure: #d7e9fb; --warn: #8a4b00 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ec; --paper: #15191d; --line: #3d464e; --mark: #6db7ff; --soft: #1f252b;
    --sure: #17405f; --warn: #ffb454 } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1.5rem; max-width: 80rem; color: var(--ink);
  background: var(--paper); font: 1rem/1.5 system-ui, sans-serif }
h1, h2, h3 { line-height: 1.2 }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem }
.skip { position: absolute; left: -100vw }
.skip:focus { position: static }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .3rem 1.2rem }
a { color: var(--mark) }
code { overflow-wrap: anywhere }
.wide { overflow-x: auto; margin: 1rem 0 }
.wide:focus-visible { outline: 2px solid var(--mark) }
table { border-collapse: separate; border-spacing: 0; font-variant-numeric: tabular-nums }
caption { text-align: left; font-weight: 600; padding: .3rem 0 }
.warning { border-left: 4px solid var(--warn); padding-left: .8rem }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem }
.legend svg { display: inline-block; vertical-align: -2px }
th, td { padding: .25rem .4rem; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: middle }
thead th { background: var(--soft) }
thead th { vertical-align: bottom }
tbody th { font-weight: 400; position: sticky; left: 0; background: var(--paper);
  overflow-wrap: break-word; min-width: 10rem }
td { white-space: nowrap }
td bdi { white-space: normal }
.sure { background: var(--sure); font-weight: 600 }
.n { text-align: right }
small { opacity: .75 }
svg { display: block }
svg .scale { stroke: var(--line) }
svg .range { stroke: var(--mark); stroke-width: 3 }
svg .mean, svg rect { fill: var(--mark) }
svg.bar { outline: 1px solid var(--line); outline-offset: -1px }
@media (max-width: 40rem) {
  body { padding: .8rem; font-size: .9rem }
  th, td { padding: .25rem .45rem }
  tbody th { min-width: min(9rem, 40vw); max-width: 40vw; overflow-wrap: anywhere }
  caption { position: sticky; left: 0; max-width: 92vw }
}
@media print { body { max-width: none; padding: 0 } nav { display: none } }
"""
