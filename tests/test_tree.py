"""Each module of the package has its tests where one looks for them.

The tests of ``src/spielleiter/a/b.py`` are in ``tests/a/test_b.py``. Modules that are tested with
their neighbours have no file of their own, and ``ALSO_COVERED`` says which file covers them.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = "src/spielleiter"

ALSO_COVERED: Mapping[str, tuple[str, ...]] = {
    "tests/arena/exam/test_duties.py": ("arena/exam/situations.py", "arena/exam/steps.py"),
    "tests/arena/results/report/test_page.py": (
        "arena/results/report/details.py",
        "arena/results/report/headline.py",
        "arena/results/report/parts.py",
        "arena/results/report/results.py",
    ),
    "tests/arena/statistics/test_score_sheet.py": ("arena/statistics/findings.py",),
    "tests/arena/store/test_database.py": (
        "arena/store/errors.py",
        "arena/store/migrations/env.py",
        "arena/store/migrations/versions/v0001_first.py",
        "arena/store/schema.py",
    ),
    "tests/arena/store/test_reader.py": ("arena/store/encoding.py",),
    "tests/arena/store/test_writer.py": (
        "arena/store/jobs.py",
        "arena/store/limits.py",
        "arena/store/values.py",
    ),
    "tests/arena/exam/test_examination.py": ("arena/exam/connection.py", "arena/exam/evidence.py"),
    "tests/arena/test_lookup.py": ("arena/scripts.py", "arena/source_files.py"),
    "tests/arena/test_match.py": ("arena/arena_match.py", "arena/match_seat.py"),
    "tests/arena/runs/test_runner.py": (
        "arena/runs/agenda.py",
        "arena/runs/jobs.py",
        "arena/runs/events.py",
    ),
    "tests/arena/runs/test_socket_player.py": ("arena/seating.py",),
    "tests/arena/pairing/test_swiss.py": ("arena/pairing/matching.py",),
    "tests/arena/workers/test_program.py": ("arena/workers/report.py", "arena/workers/table.py"),
    "tests/arena/workers/test_pool.py": ("arena/workers/seat.py",),
    "tests/cli/test_doctor.py": (
        "cli/diagnosis/__init__.py",
        "cli/diagnosis/findings.py",
        "cli/diagnosis/installation.py",
        "cli/diagnosis/machine.py",
        "cli/diagnosis/network.py",
    ),
    "tests/cli/test_main.py": (
        "cli/__init__.py",
        "cli/errors.py",
        "cli/serve.py",
        "cli/usage.py",
        "cli/values.py",
        "exit_codes.py",
    ),
    "tests/cli/test_play_page.py": ("cli/display.py",),
    "tests/cli/test_play.py": (
        "cli/play_session.py",
        "cli/signals.py",
        "cli/terminal.py",
        "cli/viewer.py",
    ),
    "tests/cli/test_match.py": (
        "cli/run_options.py",
        "cli/run_results.py",
        "cli/run_session.py",
    ),
    "tests/cli/test_replay.py": (
        "cli/replay_browser.py",
        "cli/replay_files.py",
        "cli/replay_html.py",
        "cli/replay_pages.py",
    ),
    "tests/cli/test_results.py": (
        "cli/result_lines.py",
        "cli/results_files.py",
        "cli/results_pages.py",
        "cli/results_runs.py",
    ),
    "tests/cli/test_screen.py": ("cli/layout.py",),
    "tests/client/test_own_server.py": ("client/admin.py",),
    "tests/client/test_runner.py": (
        "client/environment.py",
        "client/exits.py",
        "client/thinker.py",
    ),
    "tests/client/test_session.py": ("client/events.py", "client/recognition.py"),
    "tests/games/blokus/bots/test_searcher.py": (
        "games/blokus/bots/evaluation.py",
        "games/blokus/bots/planner.py",
    ),
    "tests/games/blokus/rules/test_state.py": (
        "games/blokus/rules/consistency.py",
        "games/blokus/rules/moves.py",
        "games/blokus/rules/seasons.py",
    ),
    "tests/games/blokus/test_recordings.py": ("games/blokus/game.py",),
    "tests/games/blokus/test_view.py": ("games/blokus/svg.py", "games/drawing.py"),
    "tests/games/hase_und_igel/bots/test_searcher.py": (
        "games/hase_und_igel/bots/outlook.py",
        "games/hase_und_igel/bots/planner.py",
        "games/hase_und_igel/bots/race.py",
    ),
    "tests/games/hase_und_igel/rules/test_seasons.py": ("games/hase_und_igel/rules/board.py",),
    "tests/games/hase_und_igel/rules/test_state.py": (
        "games/hase_und_igel/rules/judge.py",
        "games/hase_und_igel/rules/moves.py",
    ),
    "tests/games/hase_und_igel/test_notation.py": ("games/hase_und_igel/picture.py",),
    "tests/games/hase_und_igel/test_recordings.py": ("games/hase_und_igel/game.py",),
    "tests/games/hase_und_igel/test_slow_and_fast.py": (
        "games/hase_und_igel/rules/steps.py",
        "games/hase_und_igel/rules/table.py",
    ),
    "tests/games/hase_und_igel/test_view.py": ("games/hase_und_igel/svg.py",),
    "tests/games/hase_und_igel/wire/test_codec.py": (
        "games/hase_und_igel/wire/moves.py",
        "games/hase_und_igel/wire/outcome.py",
        "games/hase_und_igel/wire/state.py",
    ),
    "tests/processes/test_program.py": ("processes/guard.py", "processes/keeper.py"),
    "tests/processes/test_dialogue.py": ("processes/promises.py",),
    "tests/replays/test_reader.py": (
        "replays/files.py",
        "replays/record.py",
        "replays/steps.py",
    ),
    "tests/replays/test_verification.py": (
        "games/blokus/deviations.py",
        "games/hase_und_igel/deviations.py",
        "replays/deviations.py",
        "rules/deviations.py",
    ),
    "tests/server/test_feed.py": ("server/room.py",),
    "tests/server/test_lobby.py": ("server/peer.py", "server/scores.py"),
    "tests/server/test_program.py": ("__main__.py", "keepalive.py"),
    "tests/server/test_archive.py": ("replays/saves.py",),
    "tests/server/test_settings.py": ("server/kinds.py", "server/limits.py"),
    "tests/server/test_sockets.py": ("server/errors.py",),
    "tests/test_contract.py": (
        "games/__init__.py",
        "rules/errors.py",
        "rules/game.py",
        "rules/outcome.py",
        "rules/player.py",
        "rules/text.py",
        "rules/view.py",
    ),
    "tests/test_old_python.py": ("__init__.py",),
    "tests/test_shadows.py": ("launch.py",),
    "tests/test_unknown_data.py": ("games/recognition.py",),
    "tests/testing/test_contract.py": (
        "testing/contract_play.py",
        "testing/contract_text.py",
        "testing/contract_wire.py",
        "testing/demand.py",
    ),
    "tests/testing/test_bots.py": ("client/offers.py",),
    "tests/web/test_desk.py": ("web/doing.py", "web/started.py"),
    "tests/web/test_people.py": ("web/seat_socket.py",),
    "tests/web/test_results.py": (
        "web/run_pages.py",
        "web/run_reading.py",
        "web/run_telling.py",
    ),
    "tests/testing/test_matches.py": ("testing/desk.py",),
    "tests/web/test_analysis.py": ("web/analysis_pages.py",),
    "tests/web/test_app.py": ("web/answers.py", "web/site.py"),
    "tests/web/test_reading.py": ("web/slices.py",),
    "tests/wire/test_dialects.py": (
        "games/blokus/wire/dialects.py",
        "games/hase_und_igel/wire/dialects.py",
    ),
    "tests/wire/test_messages.py": (
        "wire/codec.py",
        "wire/errors.py",
        "wire/requests.py",
        "wire/responses.py",
        "wire/values.py",
    ),
    "tests/wire/test_stream.py": ("wire/elements.py", "wire/limits.py"),
    "tests/wire/test_writer.py": ("wire/complaints.py",),
}
"""Test files, each with the modules that it covers besides the one it is named after."""


def modules(root: Path) -> set[str]:
    """Return the modules that do something, as paths below the package.

    An ``__init__.py`` that only collects names from elsewhere has nothing to test.
    """
    package = root / PACKAGE
    return {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if path.name != "__init__.py" or defines_something(path)
    }


def defines_something(path: Path) -> bool:
    """Return whether a file has a function or a class of its own."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in tree.body)


def own_test(module: str) -> str:
    """Return where the tests of a module are looked for."""
    path = Path("tests") / module
    return path.with_name(f"test_{path.name}").as_posix()


def faults(root: Path, also_covered: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return what is wrong with the tree below ``root`` and the table, a line each."""
    known = modules(root)
    covered = [module for covers in also_covered.values() for module in covers]
    found = []
    for module in sorted(known):
        has_own = (root / own_test(module)).is_file()
        if not has_own and module not in covered:
            found.append(f"{module} has no {own_test(module)} and is not in ALSO_COVERED")
        if has_own and module in covered:
            found.append(f"{module} has {own_test(module)}: take it out of ALSO_COVERED")
        if covered.count(module) > 1:
            found.append(f"{module} is in ALSO_COVERED twice")
    found += [f"ALSO_COVERED names {module}, which is gone" for module in {*covered} - known]
    found += [
        f"ALSO_COVERED names {test}, which is gone"
        for test in also_covered
        if not (root / test).is_file()
    ]
    return found


def test_every_module_is_covered_by_a_file_of_tests() -> None:
    assert faults(ROOT, ALSO_COVERED) == []


def make_tree(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("VALUE = 1\n", encoding="utf-8")


def test_a_module_without_tests_is_found(tmp_path: Path) -> None:
    make_tree(tmp_path, f"{PACKAGE}/a/one.py", f"{PACKAGE}/a/two.py", "tests/a/test_one.py")
    assert faults(tmp_path, {}) == [
        "a/two.py has no tests/a/test_two.py and is not in ALSO_COVERED"
    ]
    assert faults(tmp_path, {"tests/a/test_one.py": ("a/two.py",)}) == []


def test_a_table_that_is_out_of_date_is_found(tmp_path: Path) -> None:
    make_tree(tmp_path, f"{PACKAGE}/a/one.py", "tests/a/test_one.py")
    table = {"tests/a/test_one.py": ("a/one.py", "a/gone.py"), "tests/a/test_gone.py": ()}
    assert faults(tmp_path, table) == [
        "a/one.py has tests/a/test_one.py: take it out of ALSO_COVERED",
        "ALSO_COVERED names a/gone.py, which is gone",
        "ALSO_COVERED names tests/a/test_gone.py, which is gone",
    ]


def test_a_file_that_only_collects_names_needs_no_tests(tmp_path: Path) -> None:
    make_tree(tmp_path, f"{PACKAGE}/a/__init__.py")
    assert faults(tmp_path, {}) == []
    (tmp_path / PACKAGE / "a/__init__.py").write_text("def f(): ...\n", encoding="utf-8")
    assert faults(tmp_path, {}) == [
        "a/__init__.py has no tests/a/test___init__.py and is not in ALSO_COVERED"
    ]
