"""Find as many pairs as possible in a graph, such as of bots who have not met yet.

This is Edmonds' algorithm for maximum matchings in general graphs. It knows nothing about bots.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence


class Matching:
    """Pairs of neighbours in a graph, to which more can be added and vertices taken away."""

    def __init__(self, neighbours: Sequence[Iterable[int]]) -> None:
        self._neighbours = [sorted(set(adjacent)) for adjacent in neighbours]
        self._mates: list[int | None] = [None] * len(self._neighbours)
        self._gone: set[int] = set()

    def grow(self) -> None:
        """Make the matching as large as possible. Vertices of low number are served first."""
        for vertex in range(len(self._mates)):
            if self._mates[vertex] is None and vertex not in self._gone:
                self._augment(vertex)

    def exposed(self) -> list[int]:
        """Return the vertices that have no partner and have not been taken away."""
        return [
            vertex
            for vertex, mate in enumerate(self._mates)
            if mate is None and vertex not in self._gone
        ]

    def remove(self, vertex: int) -> None:
        """Take a vertex away. Its partner is left exposed."""
        mate = self._mates[vertex]
        if mate is not None:
            self._mates[mate] = self._mates[vertex] = None
        self._gone.add(vertex)

    def take(self, one: int, other: int) -> bool:
        """Take two partnered vertices away together, if all others then still have a partner.

        Otherwise nothing changes.
        """
        mates = self._mates[:]
        left = [mates[one], mates[other]]
        self.remove(one)
        self.remove(other)
        if mates[one] == other or (left[0] is not None and self._augment(left[0])):
            return True
        self._mates = mates
        self._gone -= {one, other}
        return False

    def _augment(self, root: int) -> bool:
        """Find a path from an exposed vertex to another, and swap who is paired along it."""
        mates = self._mates
        parents: dict[int, int] = {}
        bases = list(range(len(mates)))
        outer = {root}
        waiting = deque([root])
        while waiting:
            vertex = waiting.popleft()
            for other in self._neighbours[vertex]:
                if other in self._gone or bases[vertex] == bases[other] or mates[vertex] == other:
                    continue
                mate = mates[other]
                if other == root or (mate is not None and mate in parents):
                    self._contract(vertex, other, root, parents, bases, outer, waiting)
                elif other not in parents:
                    parents[other] = vertex
                    if mate is None:
                        self._swap(other, parents)
                        return True
                    outer.add(mate)
                    waiting.append(mate)
        return False

    def _swap(self, end: int, parents: dict[int, int]) -> None:
        vertex: int | None = end
        while vertex is not None:
            before = parents[vertex]
            following = self._mates[before]
            self._mates[vertex], self._mates[before] = before, vertex
            vertex = following

    def _contract(
        self,
        one: int,
        other: int,
        root: int,
        parents: dict[int, int],
        bases: list[int],
        outer: set[int],
        waiting: deque[int],
    ) -> None:
        """Treat an odd circle, in which everybody can be reached from both sides, as one vertex."""
        base = self._common_base(one, other, root, parents, bases)
        inside: set[int] = set()
        for start, child in ((one, other), (other, one)):
            vertex = start
            while bases[vertex] != base:
                mate = self._mates[vertex]
                assert mate is not None
                inside |= {bases[vertex], bases[mate]}
                parents[vertex] = child
                child, vertex = mate, parents[mate]
        for vertex in range(len(bases)):
            if bases[vertex] in inside:
                bases[vertex] = base
                if vertex not in outer:
                    outer.add(vertex)
                    waiting.append(vertex)

    def _common_base(
        self, one: int, other: int, root: int, parents: dict[int, int], bases: list[int]
    ) -> int:
        seen: set[int] = set()
        vertex = one
        while True:
            vertex = bases[vertex]
            seen.add(vertex)
            mate = self._mates[vertex]
            if vertex == root or mate is None:
                break
            vertex = parents[mate]
        vertex = other
        while bases[vertex] not in seen:
            mate = self._mates[bases[vertex]]
            assert mate is not None
            vertex = parents[mate]
        return bases[vertex]
