"""The commands under their names; what they need is imported when one of them is called."""

from typing import Annotated

import typer

from explainkit.cli.bringing import bring
from explainkit.cli.checking import check
from explainkit.cli.comparing import compare_runs
from explainkit.cli.demonstrating import demonstrate
from explainkit.cli.guarding import guarded
from explainkit.cli.listing import list_runs
from explainkit.cli.prompting import show_prompt
from explainkit.cli.showing import show_run
from explainkit.cli.viewing import view_run
from explainkit.cli.walking import walk_back

app = typer.Typer(
    name="explainkit",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help starts in half the time and reads the same everywhere
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: explainkit demo",
)

COMMANDS = (
    ("demo", demonstrate, "explainkit demo -o claim.html"),
    ("ls", list_runs, "explainkit ls runs/"),
    ("show", show_run, "explainkit show claim.ek.jsonl"),
    ("prompt", show_prompt, "explainkit prompt claim.ek.jsonl --link 14"),
    ("backtrack", walk_back, "explainkit backtrack claim.ek.jsonl --span 'half of the fare'"),
    ("diff", compare_runs, "explainkit diff good.ek.jsonl bad.ek.jsonl"),
    ("view", view_run, "explainkit view claim.ek.jsonl"),
    ("import", bring, "explainkit import results.json -o runs/"),
    ("doctor", check, "explainkit doctor claim.ek.jsonl"),
)


def _register() -> None:
    for name, command, example in COMMANDS:
        app.command(name, epilog=f"Example: {example}")(guarded(command))


def _say_version(wanted: bool) -> None:
    if not wanted:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        typer.echo(f"explainkit {version('explainkit-jupyter')}")
    except PackageNotFoundError:
        typer.echo("explainkit, run from its source")
    raise typer.Exit


@app.callback()
def describe(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_say_version, is_eager=True, help="Print the version and stop."
        ),
    ] = False,
) -> None:
    """Which exact context produced this (wrong) answer?

    Data goes to stdout, messages to stderr. Exit codes: 0 all went well, 1 something is wrong
    with what was asked (damage, an unreadable file, unknown words), 2 wrong usage.
    """


_register()
