"""A dictionary that cannot be changed: what several games share."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class FrozenDict(dict[K, V]):
    """A dictionary that refuses every change; `dict(it)` makes one that does not."""

    def _refuse(self, *arguments: Any, **named: Any) -> NoReturn:
        raise TypeError("these values are shared and cannot be changed: change a dict(...) of them")

    __setitem__ = __delitem__ = __ior__ = _refuse
    update = setdefault = pop = popitem = clear = _refuse

    def __reduce__(self) -> Any:
        """Copy and pickle through a plain dictionary."""
        return FrozenDict, (dict(self),)
