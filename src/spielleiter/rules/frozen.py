"""Make classes of frozen values that are quick to define, for programs that start often.

``@frozen`` gives what ``dataclass(frozen=True, slots=True)`` gives. That writes and compiles six
methods for each class when a module is loaded, and for a bot it was a third of the time until it
could play. Here most methods are shared, and what has to be compiled waits for its first use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NoReturn, TypeVar, dataclass_transform, overload

_Value = TypeVar("_Value")


@overload
def frozen(cls: type[_Value], /) -> type[_Value]: ...
@overload
def frozen(*, eq: bool) -> Callable[[type[_Value]], type[_Value]]: ...
@dataclass_transform(frozen_default=True)
def frozen(cls: type[Any] | None = None, /, *, eq: bool = True) -> Any:
    """Make a class of values, with a field for each annotation in its body.

    With ``eq=False`` each value is equal to itself only. Fields of base classes are not taken over.
    Functions of ``dataclasses`` and patterns of ``match`` work as with a dataclass.
    """
    return (lambda cls: _made(cls, eq)) if cls is None else _made(cls, eq)


def replace(value: _Value, /, **changes: Any) -> _Value:
    """Return the same value with other fields, as ``dataclasses.replace`` does."""
    # Every class of frozen values has it, which its type does not tell.
    names: tuple[str, ...] = value.__match_args__  # type: ignore[attr-defined]
    fields = {name: getattr(value, name) for name in names}
    return type(value)(**{**fields, **changes})


def _made(cls: type[Any], eq: bool) -> type[Any]:
    body = dict(vars(cls))
    names = tuple(
        name
        for name, kind in body.get("__annotations__", {}).items()
        if not str(kind).startswith(("ClassVar", "typing.ClassVar"))
    )
    # A slot and a default cannot stand under the same name, so the class is made a second time.
    defaults = {name: body.pop(name) for name in names if name in body}
    body.pop("__dict__", None)
    body.pop("__weakref__", None)
    body |= {
        "__qualname__": cls.__qualname__,
        "__slots__": names,
        "__match_args__": names,
        "__init__": _LaterMethod(defaults),
        "__dataclass_fields__": _LaterFields(defaults),
        "__setattr__": _refuse_to_set,
        "__delattr__": _refuse_to_delete,
    }
    body.setdefault("__repr__", _represent)
    body.setdefault("__reduce__", _reduce)
    if eq:
        body.setdefault("__eq__", _LaterMethod({}))
        body.setdefault("__hash__", _LaterMethod({}))
    meta: Any = type(cls)
    made: type[Any] = meta(cls.__name__, cls.__bases__, body)
    return made


class _Later:
    """Something of a class that is made when it is first asked for, and then takes our place."""

    def __init__(self, defaults: Mapping[str, Any]) -> None:
        self.defaults = defaults

    def __set_name__(self, owner: type[Any], name: str) -> None:
        self.owner = owner
        self.name = name

    def __get__(self, instance: object, asked: type[Any]) -> Any:
        setattr(self.owner, self.name, self.make())
        return getattr(asked if instance is None else instance, self.name)

    def make(self) -> Any:
        raise NotImplementedError


class _LaterMethod(_Later):
    """A method for the fields of a class. What this process does not use is never compiled."""

    def make(self) -> Any:
        names = self.owner.__match_args__
        known = {f"set_{name}": vars(self.owner)[name].__set__ for name in names}
        known |= {f"default_{name}": value for name, value in self.defaults.items()}
        made: dict[str, Any] = {}
        exec(_SOURCES[self.name](names, self.defaults), known, made)  # noqa: S102 - our own names
        method = made[self.name]
        method.__qualname__ = f"{self.owner.__qualname__}.{self.name}"
        method.__module__ = self.owner.__module__
        if self.name == "__init__":
            kinds = vars(self.owner).get("__annotations__", {})
            method.__annotations__ = {name: kinds[name] for name in names} | {"return": None}
        return method


def _init_source(names: Sequence[str], defaults: Mapping[str, Any]) -> str:
    parameters = (f"{name}=default_{name}" if name in defaults else name for name in names)
    lines = [f"set_{name}(self, {name})" for name in names] or ["pass"]
    return f"def __init__({', '.join(('self', *parameters))}):\n  " + "\n  ".join(lines)


def _eq_source(names: Sequence[str], _: Mapping[str, Any]) -> str:
    return (
        "def __eq__(self, other):\n"
        f"  return {_content('self', names)} == {_content('other', names)} "
        "if other.__class__ is self.__class__ else NotImplemented"
    )


def _hash_source(names: Sequence[str], _: Mapping[str, Any]) -> str:
    return f"def __hash__(self):\n  return hash({_content('self', names)})"


def _content(value: str, names: Sequence[str]) -> str:
    return f"({''.join(f'{value}.{name}, ' for name in names)})"


_SOURCES = {"__init__": _init_source, "__eq__": _eq_source, "__hash__": _hash_source}


class _LaterFields(_Later):
    """What functions of ``dataclasses`` look for."""

    def make(self) -> Any:
        # Imported on first use, because it is slow to load.
        from dataclasses import dataclass, field

        kinds = vars(self.owner).get("__annotations__", {})
        body = {"__annotations__": kinds, "__module__": self.owner.__module__}
        for name, value in self.defaults.items():
            # A dataclass refuses a default without hash, lest somebody change it.
            has_hash = value.__class__.__hash__ is not None
            body[name] = value if has_hash else field(default_factory=partial(_same, value))
        plain: Any = dataclass(frozen=True)(type(self.owner.__name__, (), body))
        self.owner.__dataclass_params__ = plain.__dataclass_params__
        return plain.__dataclass_fields__


def _same(value: object) -> object:
    return value


def _represent(self: Any) -> str:
    fields = (f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
    return f"{type(self).__qualname__}({', '.join(fields)})"


def _reduce(self: Any) -> tuple[type[Any], tuple[Any, ...]]:
    return type(self), tuple(getattr(self, name) for name in self.__match_args__)


def _refuse_to_set(self: Any, name: str, value: object) -> NoReturn:  # noqa: ARG001
    # Imported on first use, because it is slow to load.
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: Any, name: str) -> NoReturn:  # noqa: ARG001
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot delete field {name!r}")
