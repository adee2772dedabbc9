"""``@frozen`` against ``dataclass(frozen=True, slots=True)``, which it stands for."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from spielleiter.rules.frozen import frozen, replace

T = TypeVar("T")


@frozen
class Point:
    """A value with a default."""

    dimensions: ClassVar[int] = 2

    x: int
    y: int = 7


@dataclasses.dataclass(frozen=True, slots=True)
class Plain:
    """The same as Python makes it."""

    x: int
    y: int = 7


@frozen
class Spot:
    """Another class with the same fields."""

    x: int
    y: int = 7


@frozen
class Nothing:
    """A value without fields."""


@frozen
class Box(Generic[T]):
    """A value with a default that has no hash."""

    content: T
    names: dict[str, int] = {}  # noqa: RUF012 - nobody changes it


@frozen(eq=False)
class Thing:
    """A value that is equal to itself only."""

    x: int


@frozen
class Secret:
    """A value that shows itself in its own way."""

    word: str

    def __repr__(self) -> str:
        return "Secret(***)"


def test_it_is_made_as_a_dataclass_is() -> None:
    assert (Point(1).x, Point(1).y, Point(x=1, y=2).y) == (1, 7, 2)
    assert repr(Point(1)) == repr(Plain(1)).replace("Plain", "Point")
    assert inspect.signature(Point) == inspect.signature(Plain)
    for wrong in ((), (1, 2, 3)):
        with pytest.raises(TypeError, match=r"Point\.__init__\(\)"):
            Point(*wrong)


def test_equality_looks_at_the_class_and_at_every_field() -> None:
    assert Point(1) == Point(1, 7)
    assert Point(1) != Point(1, 8)
    assert Point(1) != Spot(1)
    assert Nothing() == Nothing()
    assert len({Point(1), Point(1), Point(2), Spot(1)}) == 3
    assert Thing(1) != Thing(1)
    assert hash(Point(1)) == hash(Plain(1))


def test_nothing_can_be_changed_or_added() -> None:
    point: Any = Point(1)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'x'"):
        point.x = 2
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'z'"):
        point.z = 2
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'x'"):
        del point.x
    assert not hasattr(point, "__dict__")


def test_copies_are_equal() -> None:
    for value in (Point(1, 2), Nothing(), Box([1])):
        assert pickle.loads(pickle.dumps(value)) == value
        assert copy.deepcopy(value) == value


def test_what_the_class_says_itself_is_kept() -> None:
    assert repr(Secret("x")) == "Secret(***)"
    assert Point.dimensions == 2
    assert Point.__doc__ == "A value with a default."


def test_patterns_take_it_apart() -> None:
    match Point(3, 4):
        case Point(x, y):
            assert (x, y) == (3, 4)


def test_other_fields() -> None:
    assert replace(Point(1, 2), y=3) == Point(1, 3)
    with pytest.raises(TypeError, match="z"):
        replace(Point(1, 2), z=3)


def test_functions_for_dataclasses_take_it() -> None:
    point: Any = Point(1, 2)
    assert dataclasses.is_dataclass(Point)
    assert dataclasses.replace(point, x=5) == Point(5, 2)
    assert dataclasses.asdict(point) == {"x": 1, "y": 2}
    box: Any = Box
    assert [field.name for field in dataclasses.fields(box)] == ["content", "names"]


def test_a_class_may_derive_from_it() -> None:
    class Named(Point):
        __slots__ = ()

        def sum(self) -> int:
            return self.x + self.y

    assert Named(1, 2).sum() == 3
    assert Named(1, 2) != Point(1, 2)
    assert Named(1, 2) == Named(1, 2)
