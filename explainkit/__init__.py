"""The public surface of explainkit: everything that a user imports, loaded when first used."""

__all__: list[str] = []
