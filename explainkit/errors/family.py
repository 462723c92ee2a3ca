"""The root of the family, and what a missing optional dependency says."""


class ExplainkitError(Exception):
    """Base of every error of explainkit."""


class MissingExtraError(ExplainkitError, ImportError):
    """An optional dependency is not installed; the message names the command."""

    def __init__(self, extra: str, package: str) -> None:
        """Name the extra and the package that it brings."""
        super().__init__(
            f"{package} is not installed. Run: pip install 'explainkit-jupyter[{extra}]'"
        )
        self.extra = extra
        self.package = package
