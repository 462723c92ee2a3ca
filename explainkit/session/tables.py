"""A run as tables, for those who would rather filter and count than look."""

from typing import TYPE_CHECKING

from explainkit.session.records_held import HeldRun

if TYPE_CHECKING:
    import pandas as pd


class TabledRun(HeldRun):
    """The records of a run by kind, each as a pandas frame."""

    @property
    def links(self) -> "pd.DataFrame":
        """A row for each link."""
        from explainkit.view import frames

        return frames.links(self.recording)

    @property
    def contexts(self) -> "pd.DataFrame":
        """A row for each context, left-out ones included."""
        from explainkit.view import frames

        return frames.contexts(self.recording)

    @property
    def overrides(self) -> "pd.DataFrame":
        """A row for each override."""
        from explainkit.view import frames

        return frames.overrides(self.recording)

    @property
    def findings(self) -> "pd.DataFrame":
        """A row for each what-if, with the word that it has now beside all others."""
        from explainkit.view.whatif.finding_frames import findings

        return findings(self.recording)

    @property
    def picks(self) -> "pd.DataFrame":
        """A row for each pick of an Agent: what was picked, what replied, what was read."""
        from explainkit.view import frames

        return frames.picks(self.recording)

    @property
    def verdicts(self) -> "pd.DataFrame":
        """A row for each verdict; stale ones are marked."""
        from explainkit.view import frames

        return frames.verdicts(self.recording)
