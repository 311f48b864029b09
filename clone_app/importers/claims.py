"""Claims of importers that know their files one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from clone_app.protocols import Claim, Member


def claim_those(
    members: Sequence[Member], ours: Callable[[Member], object], confidence: float
) -> Claim | None:
    """Claim the members that `ours` knows, all as surely."""
    paths = frozenset(member.path for member in members if ours(member))
    return Claim(confidence, paths) if paths else None


def claim_by_sureness(
    members: Sequence[Member], sureness: Callable[[Member], float], *, doubtful: float = 0.0
) -> Claim | None:
    """Claim the members with a sureness above 0, as surely as the surest; up to `doubtful` in doubt."""
    sure = {member.path: found for member in members if (found := sureness(member))}
    if not sure:
        return None
    unsure = frozenset(path for path, found in sure.items() if found <= doubtful)
    return Claim(max(sure.values()), frozenset(sure), unsure)


def claim_kinds(
    members: Sequence[Member], kind_of: Callable[[Member], str], sure: Mapping[str, float]
) -> Claim | None:
    """Claim the members of any kind, as surely as the surest; a kind not in `sure` only comes along."""
    kinds = {member.path: kind for member in members if (kind := kind_of(member))}
    confidence = max((sure.get(kind, 0.0) for kind in kinds.values()), default=0.0)
    return Claim(confidence, frozenset(kinds)) if confidence else None
