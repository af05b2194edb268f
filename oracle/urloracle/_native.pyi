from collections.abc import Callable
from typing import Any

source: str

class View:
    component_0: str | None
    component_1: str | None
    component_2: str | None
    component_3: str | None
    component_4: str | None
    component_5: str | None
    component_6: str | None
    component_7: str | None

class Reader:
    def __init__(
        self,
        table: bytes,
        pure: Any,
        kind: type[tuple[Any, ...]] | None = None,
        view: type[View] | None = None,
        choices: dict[str, Reader] = ...,
        resolution: type[tuple[Any, ...]] | None = None,
        steps: str = "",
        order: bytes = b"",
    ) -> None: ...
    def accepts(self, text: str, /) -> bool: ...
    def offset(self, text: str, /) -> int: ...
    def read(self, text: str, /) -> Any: ...
    def view(self, text: str, /) -> Any: ...
    def resolve(
        self, base: str, reference: str, note: Callable[[str, str, str], None] | None = None, /
    ) -> Any: ...

def new_view_class(name: str, /) -> type[View]: ...
def new_function(
    function: Callable[..., Any],
    methods: dict[Any, Any],
    count: int,
    name: str,
    documentation: str,
    module: str,
    /,
) -> Callable[..., Any]: ...
