"""Find files that are named like a module of Python or like this package.

Such files hide the module from programs beside them, or are hidden by it.

Nothing is imported here that such a file could hide itself, so this works where hardly anything
else does.
"""

# pathlib imports much of what may be hidden:
# ruff: noqa: PTH100, PTH113, PTH118, PTH119, PTH208
from __future__ import annotations

import _imp
import os
import sys

_OURS = "spielleiter"
_PACKAGES = ("site-packages", "dist-packages")


def find_shadows(folder: str) -> list[str]:
    """Return the files and packages in ``folder`` that are named like a module.

    This means the modules of Python and this package.
    """
    found: list[str] = []
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return found
    for name in names:
        path = os.path.join(folder, name)
        module = _module_of(path)
        if name.endswith(".py"):
            # A folder of our name is what an archive for the contest carries; a file of our name is
            # a mistake.
            is_shadow = module == _OURS or module in sys.stdlib_module_names
        else:
            is_shadow = module in sys.stdlib_module_names and os.path.isfile(
                os.path.join(path, "__init__.py")
            )
        if is_shadow:
            found.append(path)
    return found


def describe_shadow(path: str, *, started_by_us: bool) -> str:
    """Say what such a file does and what to call it instead.

    ``started_by_us`` means that its folder is behind Python's own in the search path.
    """
    module = _module_of(path)
    whose = "this package" if module == _OURS else f"Python's own module {module}"
    rename = f"Rename it, for instance to my_{os.path.basename(path)}."
    if _is_unreachable(module):
        return f"{path} is named like {whose}, so 'import {module}' never gets this file. {rename}"
    if started_by_us:
        return (
            f"{path} is named like {whose}. Here 'import {module}' gets that one; with 'python "
            "bot.py', "
            f"as in the contest, it gets this file, which breaks most bots. {rename}"
        )
    return f"{path} takes the place of {whose}, which breaks whatever needs that. {rename}"


def add_folder(folder: str) -> None:
    """Let imports find the files in ``folder``.

    They come after Python's own modules and before installed packages.
    """
    if folder in sys.path:
        return
    places = [place for place, entry in enumerate(sys.path) if os.path.basename(entry) in _PACKAGES]
    sys.path.insert(places[0] if places else len(sys.path), folder)


def guard_import() -> None:
    """End the process with one line if such a file keeps the package from working.

    This is called when the package is imported.

    Python puts the folder of a program in front of its own modules before anything of ours runs.
    """
    if not sys.path or sys.flags.safe_path or not hasattr(sys, "argv"):
        return
    if sys.argv[:1] == ["-m"] and _OURS in sys.orig_argv:
        # ``python -m spielleiter``: the folder in front is whichever somebody happens to be in.
        sys.path.append(sys.path.pop(0))
        return
    hiding = hiding_files()
    if not hiding:
        return
    try:
        __import__("spielleiter.client")
    except Exception as error:  # a file that is not what it is taken for can raise anything
        for path in [path for path in hiding if _is_loaded(path)] or hiding:
            sys.stderr.write(f"spielleiter: {describe_shadow(path, started_by_us=False)}\n")
        sys.stderr.write(f"  it led to {type(error).__name__}: {error}\n")
        sys.exit(2)


def hiding_files() -> list[str]:
    """Return the files in the program's own folder that are imported instead of Python's."""
    if not sys.path or sys.flags.safe_path:
        return []
    shadows = find_shadows(os.path.abspath(sys.path[0]))
    return [path for path in shadows if not _is_unreachable(_module_of(path))]


def _module_of(path: str) -> str:
    name = os.path.basename(path)
    return name.removesuffix(".py")


def _is_unreachable(module: str) -> bool:
    """Return whether no file can hide the module, because it is part of the interpreter."""
    return module in sys.builtin_module_names or _imp.is_frozen(module)


def _is_loaded(path: str) -> bool:
    loaded = getattr(sys.modules.get(_module_of(path)), "__file__", None) or ""
    return loaded in (path, os.path.join(path, "__init__.py"))
