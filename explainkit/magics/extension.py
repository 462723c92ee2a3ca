"""Puts the magics into a shell and takes them out again, for `%load_ext explainkit`."""

from typing import Any

from explainkit.magics.cells import cell_of_file, running_cell
from explainkit.magics.magic_functions import ShellMagics
from explainkit.magics.rewriting import rewrite
from explainkit.magics.traced_executions import TracedExecutions
from explainkit.tracing.cells import set_cell_provider

# The shell is typed as anything, because the types of IPython change from release to release.
_ATTRIBUTE = "_explainkit_magics"


def load(shell: Any) -> None:
    """Register the magics; a second call does nothing."""
    if getattr(shell, _ATTRIBUTE, None) is not None:
        return
    magics = ShellMagics(shell, TracedExecutions(shell))
    setattr(shell, _ATTRIBUTE, magics)
    set_cell_provider(running_cell, cell_of_file)
    for event, handler in magics.traced.handlers().items():
        shell.events.register(event, handler)
    for kind, functions in magics.by_kind().items():
        for name, function in functions.items():
            shell.register_magic_function(function, magic_kind=kind, magic_name=name)
    shell.input_transformers_cleanup.append(rewrite)


def unload(shell: Any) -> None:
    """Take out what `load` put in; a run that a cell still records is ended."""
    magics = getattr(shell, _ATTRIBUTE, None)
    if magics is None:
        return
    magics.traced.close_all()
    for event, handler in magics.traced.handlers().items():
        shell.events.unregister(event, handler)
    for kind, functions in magics.by_kind().items():
        for name in functions:
            shell.magics_manager.magics[kind].pop(name, None)
    if rewrite in shell.input_transformers_cleanup:
        shell.input_transformers_cleanup.remove(rewrite)
    setattr(shell, _ATTRIBUTE, None)
