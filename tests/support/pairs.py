"""Covering arrays: few rows in which any two values of any two parameters meet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import TypeAlias

Value: TypeAlias = str | int
Row: TypeAlias = dict[str, Value]
Pair: TypeAlias = tuple[tuple[str, Value], tuple[str, Value]]


def pairs_of(row: Mapping[str, Value]) -> set[Pair]:
    """Return the pairs of settings that meet in a row."""
    return set(combinations(row.items(), 2))


def all_pairs(parameters: Mapping[str, Sequence[Value]]) -> set[Pair]:
    """Return every pair of settings of two different parameters."""
    return {
        ((first, a), (second, b))
        for first, second in combinations(parameters, 2)
        for a, b in product(parameters[first], parameters[second])
    }


def covering_array(parameters: Mapping[str, Sequence[Value]]) -> list[Row]:
    """Return rows that cover all pairs, made greedily; the same parameters make the same rows.

    Each row starts from a pair not met yet and takes, parameter by parameter, the value that meets
    the most pairs still missing.
    """
    missing = all_pairs(parameters)
    in_order = sorted(missing, key=repr)
    rows: list[Row] = []
    for seed in in_order:
        if seed not in missing:
            continue
        chosen: Row = dict(seed)
        for name, values in parameters.items():
            if name not in chosen:
                chosen[name] = max(
                    values, key=lambda value: _gain({**chosen, name: value}, parameters, missing)
                )
        row = {name: chosen[name] for name in parameters}
        missing -= pairs_of(row)
        rows.append(row)
    return rows


def _gain(
    chosen: Mapping[str, Value], parameters: Mapping[str, Sequence[Value]], missing: set[Pair]
) -> int:
    in_order = {name: chosen[name] for name in parameters if name in chosen}
    return len(pairs_of(in_order) & missing)
