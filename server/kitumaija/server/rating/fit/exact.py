"""Arithmetic that comes out the same to the last bit on every machine.

Who meets whom in an adaptive tournament follows from a fit, and whoever verifies it draws it again,
on another processor and with other libraries. So nothing is used here but additions, subtractions,
multiplications, divisions and square roots of doubles, each of which IEEE 754 fixes to the last
bit, and in an order that is fixed here. A library's own matrix product, solver, sum or exponential
is not: what order it adds in, and how it rounds, depends on the processor it finds.

All matrices are small: as many rows as there are bots.
"""

from __future__ import annotations

import numpy as np

from kitumaija.server.rating.fit.comparisons import Comparisons, Floats

_LN2_HIGH = 6.93147180369123816490e-01
_LN2_LOW = 1.90821492927058770002e-10
"""The logarithm of 2 in two pieces, of which the first has trailing zeros: times a whole number it
is exact."""

_TERMS = 14
"""So many terms of the exponential's series, within half of that logarithm, are as good as all."""


def exponential(of: Floats) -> Floats:
    """The exponential of each number, within a few units of its last place; of up to ±700."""
    halvings = np.rint(of / (_LN2_HIGH + _LN2_LOW))
    rest = of - halvings * _LN2_HIGH - halvings * _LN2_LOW
    series: Floats = np.ones_like(rest)
    for term in range(_TERMS, 0, -1):
        series = series * rest / term + 1
    found: Floats = np.ldexp(series, halvings.astype(np.int64))
    return found


def total(values: Floats, axis: int = 0) -> Floats:
    """The sum along an axis, added up one after the other."""
    if not values.shape[axis]:
        return np.zeros(values.shape[:axis] + values.shape[axis + 1 :])
    found: Floats = np.add.accumulate(values, axis=axis).take(-1, axis=axis)
    return found


def product(one: Floats, other: Floats) -> Floats:
    """The product of two matrices."""
    found = np.zeros((one.shape[0], other.shape[1]))
    for at in range(one.shape[1]):
        found += one[:, at, None] * other[at]
    return found


def solved(matrix: Floats, values: Floats) -> Floats:
    """The solution x of matrix · x = values, by elimination.

    Without a search for pivots: the matrix is to outweigh, on its diagonal, the rest of each row.
    """
    left, found = matrix.copy(), values.copy()
    count = len(found)
    for at in range(count):
        factors = left[at + 1 :, at] / left[at, at]
        left[at + 1 :, at + 1 :] -= factors[:, None] * left[at, at + 1 :]
        found[at + 1 :] -= factors * found[at]
    for at in reversed(range(count)):
        found[at] /= left[at, at]
        found[:at] -= left[:at, at] * found[at]
    return found


def inverse(matrix: Floats) -> Floats:
    """The inverse, by Gauss and Jordan's elimination, of a matrix as `solved` takes it."""
    found = matrix.copy()
    for at in range(len(found)):
        pivot = 1 / found[at, at]
        column, row = found[:, at].copy(), found[at] * pivot
        column[at] = 0
        found -= column[:, None] * row
        found[:, at] = -column * pivot
        found[at] = row
        found[at, at] = pivot
    return found


def scatter(comparisons: Comparisons, surplus: Floats) -> Floats:
    """What the sets scatter by, as (bots, bots): the products of what each set gave two bots, added
    up over the sets. `surplus` is what each entry gave the first of its pair, and took the second.
    """
    bots = len(comparisons.bots)
    gains = comparisons.by_bot(surplus)
    a, b = comparisons.pairs[comparisons.of_pair].T
    keys = np.concatenate([comparisons.of_set * bots + a, comparisons.of_set * bots + b])
    of_set, members = np.divmod(np.unique(keys), max(1, bots))
    found = np.zeros(bots * bots)
    for size in np.unique(comparisons.bots_in).tolist():
        these = comparisons.bots_in[of_set] == size
        sets, seated = of_set[these].reshape(-1, size), members[these].reshape(-1, size)
        gained = gains[sets, seated]
        places = seated[:, :, None] * bots + seated[:, None, :]
        products = gained[:, :, None] * gained[:, None, :]
        found += np.bincount(places.ravel(), products.ravel(), minlength=bots * bots)
    return found.reshape(bots, bots)
