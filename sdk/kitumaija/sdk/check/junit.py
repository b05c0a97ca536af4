"""A report as JUnit XML, which the services that run tests understand."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from kitumaija.sdk.check.render import failure_of
from kitumaija.sdk.check.report import Outcome, Report


def junit_of(report: Report, bot: str) -> str:
    """Return the document, one test case a step; `bot` names what was checked."""
    counts = report.counts()
    suite = ET.Element(
        "testsuite",
        name="kitumaija check",
        tests=str(len(report.results)),
        failures=str(counts[Outcome.FAILED]),
        errors="0",
        skipped=str(counts[Outcome.SKIPPED]),
        time=f"{sum(result.seconds for result in report.results):.3f}",
    )
    for result in report.results:
        case = ET.SubElement(
            suite,
            "testcase",
            classname=_text(f"kitumaija.check.{bot}"),
            name=f"{result.step.id}: {result.step.sentence}",
            time=f"{result.seconds:.3f}",
        )
        if result.outcome is Outcome.FAILED:
            said = f"wanted {result.wanted}; got {result.got}"
            ET.SubElement(case, "failure", message=_text(said)).text = _text(failure_of(result))
        elif result.outcome is Outcome.SKIPPED:
            ET.SubElement(case, "skipped", message=_text(result.note))
        if result.output:
            ET.SubElement(case, "system-err").text = _text(result.output)
    ET.indent(suite)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _text(text: str) -> str:
    """Leave out what XML cannot hold, however it is written."""
    return "".join(
        character if character in "\n\t" or character.isprintable() else "\N{REPLACEMENT CHARACTER}"
        for character in text
    )
