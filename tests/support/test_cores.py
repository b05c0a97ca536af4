"""Work by number, in one process and in several."""

from __future__ import annotations

from functools import partial

from tests.support.cores import by_number


def test_what_comes_of_work_is_in_order_however_many_processes_do_it() -> None:
    found = [by_number(partial(pow, 3), 40, jobs=jobs) for jobs in (1, 2)]

    assert found == [[3**number for number in range(40)]] * 2
