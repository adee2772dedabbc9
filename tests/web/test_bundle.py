"""Modules in one script: what they say, in which order they run, and what is refused."""

from __future__ import annotations

import pytest

from spielleiter.web.bundle import BundleError, bundle

A, B, C = "/static/js/a.js", "/static/js/b.js", "/games/some/c.js"


def put(**modules: str) -> str:
    texts = {{"a": A, "b": B, "c": C}[name]: text for name, text in modules.items()}
    return bundle([A], texts.__getitem__)


def test_a_module_comes_after_those_it_imports() -> None:
    text = put(
        a='import { one } from "./b.js";\none();\n',
        b='import * as c from "/games/some/c.js";\nexport const one = c.two;\n',
        c="export function two() {}\n",
    )

    assert text.index(f"// {C}") < text.index(f"// {B}") < text.index(f"// {A}")


def test_imports_become_names_of_the_block() -> None:
    text = put(
        a='import {\n  one,\n  two as three,\n} from "./b.js";\nimport * as all from "./b.js";\n'
        'import "./b.js";\n',
        b="export const one = 1;\nexport class two {}\n",
    )

    assert f'const {{ one, two: three }} = _modules["{B}"];' in text
    assert f'const all = _modules["{B}"];' in text
    assert "import" not in text


def test_exports_are_kept_by_name() -> None:
    text = put(
        a="export const one = 1;\nexport async function two() {}\nexport function* three() {}\n"
        "class four {}\nexport { four as five };\nexport {};\n",
    )

    assert f'_modules["{A}"] = {{ five: four, one, two, three }};' in text


def test_exports_of_another_module_are_passed_on() -> None:
    text = put(
        a='export * from "./b.js";\nexport { one as two } from "./b.js";\n',
        b="export const one = 1;\n",
    )

    assert f'_modules["{A}"] = {{ ..._modules["{B}"], two: _modules["{B}"].one }};' in text


def test_an_import_while_running_finds_modules_of_the_bundle() -> None:
    text = put(a="const own = await import(address);\n")

    assert "await _load(address)" in text


def test_an_address_that_is_imported_while_running_is_put_in_full() -> None:
    text = put(a='const own = await import("../b.js");\nconst here = import.meta.url;\n')

    assert 'await _load("/static/b.js")' in text
    assert f'const here = "file://{A}";' in text


def test_words_inside_lines_stay_as_they_are() -> None:
    text = put(a='const said = "no import from here";\n// to export is to give\n')

    assert 'const said = "no import from here";' in text


@pytest.mark.parametrize(
    "line",
    [
        "export let changing = 1;",
        "export default 1;",
        'import one from "./b.js";',
        'import { one } from "./b.js"; one();',
    ],
)
def test_other_forms_are_refused_by_name(line: str) -> None:
    with pytest.raises(BundleError, match=r"/static/js/a\.js"):
        put(a=f"{line}\n", b="export const one = 1;\n")


def test_a_circle_is_refused() -> None:
    with pytest.raises(BundleError, match="imports itself"):
        put(a='import "./b.js";\n', b='import "./a.js";\n')


def test_an_address_of_elsewhere_is_refused() -> None:
    with pytest.raises(BundleError, match="no address of the page"):
        put(a='import "https://example.org/a.js";\n')
