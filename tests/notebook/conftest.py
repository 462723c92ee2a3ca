"""One JupyterLab for all journeys of the explorer, and a way to open notebooks in it."""

from contextlib import ExitStack
from dataclasses import dataclass, field

import pytest

from tests.notebook.jupyterlab import jupyterlab, set_setting
from tests.notebook.lab_pages import LIGHT, end_kernels, open_page, write_notebook


@dataclass
class ExplorerLab:
    """A server with a folder of notebooks; what a test opens is closed with it."""

    address: str
    folder: object
    home: object
    context: object = None
    stack: ExitStack = field(default_factory=ExitStack)

    def write(self, name, *cells, outputs=()):
        """Write a notebook."""
        return write_notebook(self.folder / f"{name}.ipynb", *cells, outputs=outputs)

    def open(self, name, *, theme=LIGHT, **options):
        """Open a notebook that is there, in a page of its own."""
        set_setting(self.home, "apputils-extension/themes", {"theme": theme})
        address = self.address.format(name=f"{name}.ipynb")
        page = self.stack.enter_context(open_page(self.context, address, **options))
        page.page.wait_for_selector(f"body[data-jp-theme-name='{theme}']", state="attached")
        return page

    def start(self, name, *cells, **options):
        """Write a notebook and open it."""
        self.write(name, *cells)
        return self.open(name, **options)


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """The server; it lives as long as the tests of this process."""
    pytest.importorskip("jupyterlab", reason="JupyterLab is not installed (make lab installs it)")
    folder, home = tmp_path_factory.mktemp("notebooks"), tmp_path_factory.mktemp("home")
    with jupyterlab(folder, home=home) as address:
        yield ExplorerLab(address, folder, home)


@pytest.fixture(scope="module")
def context(browser):
    """One context for the pages of a module: the scripts of a host are read and compiled once."""
    with browser.new_context(color_scheme="light", reduced_motion="reduce") as made:
        yield made


@pytest.fixture
def explorers(server, context):
    """The server, for one test: pages that it opens and kernels that it starts end with it."""
    with ExitStack() as stack:
        yield ExplorerLab(server.address, server.folder, server.home, context, stack)
        end_kernels(server.address)
