"""How a report looks, on a light and on a dark screen and on paper."""

from __future__ import annotations

from typing import Final

STYLE: Final = """
:root { color-scheme: light dark; --ink: #1d2227; --paper: #fff; --line: #c9d0d6; --mark: #0b63b0;
  --soft: #f2f5f7 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ec; --paper: #15191d; --line: #3d464e; --mark: #6db7ff; --soft: #1f252b } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1.5rem; max-width: 72rem; color: var(--ink);
  background: var(--paper); font: 1rem/1.5 system-ui, sans-serif }
h1, h2, h3 { line-height: 1.2 }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .3rem 1.2rem }
a { color: var(--mark) }
code { overflow-wrap: anywhere }
.wide { overflow-x: auto; margin: 1rem 0 }
.wide:focus-visible { outline: 2px solid var(--mark) }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
caption { text-align: left; font-weight: 600; padding: .3rem 0 }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: middle }
thead th { background: var(--soft) }
tbody th { font-weight: 400 }
.n { text-align: right }
small { opacity: .75 }
svg { display: block }
svg .scale { stroke: var(--line) }
svg .range { stroke: var(--mark); stroke-width: 3 }
svg .mean { fill: var(--mark) }
@media print { body { max-width: none; padding: 0 } nav { display: none } }
"""
