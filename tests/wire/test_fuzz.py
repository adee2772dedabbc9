"""A short run of fuzz/fuzz_protocol.py, and that it would notice."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from types import ModuleType

import pytest

from spielleiter.wire.stream import MessageStream, StreamEnd

PATH = Path(__file__).parents[2] / "fuzz" / "fuzz_protocol.py"


@pytest.fixture(scope="module")
def fuzz() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fuzz_protocol", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_few_thousand_inputs(fuzz: ModuleType) -> None:
    verdicts = fuzz.run(4000, seed=20)
    assert sum(verdicts.values()) == 4000
    assert set(verdicts) == {"orderly", "cut", "MalformedXml", "LimitExceeded"}, (
        "all kinds of ends are reached"
    )


def test_cases_can_be_repeated(fuzz: ModuleType) -> None:
    assert fuzz.run(20, seed=5, first=100) == fuzz.run(20, seed=5, first=100)


def test_it_notices_a_reader_that_depends_on_the_cut(
    fuzz: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Forgetful(MessageStream):
        def receive_data(self, data: bytes) -> None:
            if not data or len(data) > 2:
                super().receive_data(data)

    monkeypatch.setattr(fuzz, "MessageStream", Forgetful)
    with pytest.raises(fuzz.Broken, match="pieces"):
        fuzz.check(b"<p><a/></p>", random.Random(1), singly=True)


def test_it_notices_an_exception_of_another_kind(
    fuzz: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Careless(MessageStream):
        def events_received(self) -> list:
            return [
                event for event in super().events_received() if not isinstance(event, StreamEnd)
            ] + [ValueError()]

    monkeypatch.setattr(fuzz, "MessageStream", Careless)
    with pytest.raises((fuzz.Broken, TypeError)):
        fuzz.check(b"<p><a/></p>", random.Random(1))
