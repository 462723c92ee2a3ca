"""Where an explorer is displayed: which front end is there, and how each of them is told."""

import sys
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from explainkit.view.explorer.controls import ExplorerControls

FrontEnd = Literal["jupyter", "marimo", "terminal", "script"]
_WIDGET = "application/vnd.jupyter.widget-view+json"


def front_end() -> FrontEnd:
    """What would display something now; nothing is imported to find out.

    JupyterLab, Notebook, VS Code, Colab and Voilà all run a kernel and count as ``jupyter``.
    """
    marimo = sys.modules.get("marimo")
    if marimo is not None:
        running = getattr(marimo, "running_in_notebook", None)
        if callable(running) and running():
            return "marimo"
    shell = _shell()
    if shell is None:
        return "script"
    return "jupyter" if getattr(shell, "kernel", None) is not None else "terminal"


def cell_count() -> int | None:
    """How many cells the kernel has run; ``None`` without one."""
    return getattr(_shell(), "execution_count", None)


def hint() -> str | None:
    """What a person must do in this front end before a widget shows."""
    if "google.colab" not in sys.modules:
        return None
    return (
        "If Colab shows nothing below this board, run: from google.colab import output; "
        "output.enable_custom_widget_manager() — and then explore() again."
    )


def show_static(text: str, html: str) -> None:
    """Display what stays when the kernel is gone: words and HTML, no widget among them."""
    _display({"text/plain": text, "text/html": html})


def show_widget(controls: "ExplorerControls", words: str) -> None:
    """Display the widget; the words stand for it where widgets are not shown."""
    bundle = controls.root._repr_mimebundle_()
    data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
    _display({_WIDGET: data[_WIDGET], "text/plain": words}, metadata)


def in_marimo(html: str, canvas: Any) -> Any:
    """What marimo shows: the board, and the canvas alone, because it has no other widgets."""
    marimo = sys.modules["marimo"]
    return marimo.vstack([marimo.Html(html), marimo.ui.anywidget(canvas)])


def _display(data: dict[str, Any], metadata: dict[str, Any] | None = None) -> None:
    from IPython.display import display

    show: Callable[..., Any] = display
    show(data, raw=True, metadata=metadata or {})


def _shell() -> Any:
    module = sys.modules.get("IPython")
    get = getattr(module, "get_ipython", None)
    return get() if callable(get) else None
