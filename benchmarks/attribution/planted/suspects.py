"""What of a recorded run a user could try to change, and which of it the shortlist names."""

from functools import cached_property

NEUTRAL = ((str, ""), (list, []), (dict, {}))


class Suspects:
    """The changes that a user would think of, read from the record alone.

    Attributes:
        run: The run.
    """

    def __init__(self, run):
        self.run = run
        self.recording = run.recording

    @cached_property
    def removable(self):
        """Contexts, and items of lists, in the order in which they were offered."""
        found = []
        for row in self.recording.rows("context"):
            if row.get("admitted") is not False:
                found += self._parts(row)
        return found

    @cached_property
    def texts(self):
        """The text of each removable part."""
        found = {}
        for row in self.recording.rows("context"):
            value = self._value(row["value"])
            for key in self._parts(row) if row.get("admitted") is not False else ():
                found[key] = str(value if len(key) == 2 else value[key[2]])
        return found

    @cached_property
    def swaps(self):
        """Links whose result can be put in doubt without knowing the right one, with other values.

        A tool's result becomes empty of its kind, a yes a no, and what was chosen from what was
        given becomes each of the others.
        """
        found = {}
        closed = {row["link"]: row for row in self.recording.rows("link_closed")}
        for row in self.recording.rows("link_opened"):
            end = closed.get(row["seq"], {})
            if row["type"] in ("model", "assemble") or "output" not in end:
                continue
            others = self._others(row, self._value(end["output"]))
            if others:
                found["swap", row["name"]] = others
        return found

    @cached_property
    def restorable(self):
        """What was left out."""
        rows = self.recording.rows("context")
        return [("restore", row["name"]) for row in rows if row.get("admitted") is False]

    @cached_property
    def holdable(self):
        """Overrides."""
        return [("hold", row["by"]) for row in self.recording.rows("override")]

    @property
    def all(self):
        """All of them, reorders aside."""
        return [*self.removable, *self.swaps, *self.restorable, *self.holdable]

    def ranked(self, k):
        """Groups of equal rank in the shortlist of the whole answer.

        Rows that name a model or a template are passed over: what they said cannot be taken away.
        """
        groups, known = [], set()
        for row in self.run.backtrack().shortlist(k):
            keys = [key for key in self._named(row) if key not in known]
            known.update(keys)
            if keys and groups and groups[-1][0] == row.rank:
                groups[-1][1].extend(keys)
            elif keys:
                groups.append((row.rank, keys))
        return [keys for _, keys in groups]

    def exposed(self):
        """Removable parts, those first that share words with the answer, as the walk ranks them."""
        by_name = {}
        for key in self.removable:
            by_name.setdefault(key[1], []).append(key)
        names = dict.fromkeys(each.name for each in self.run.backtrack().exposures)
        first = [key for name in names for key in by_name.get(name, ())]
        return list(dict.fromkeys([*first, *self.removable]))

    def _named(self, suspect):
        row = self.recording.raw(suspect.seq)
        row = self.recording.raw(row["link"]) if row["kind"] == "link_closed" else row
        if row["kind"] == "override":
            return [("hold", row["by"])]
        if row["kind"] == "context":
            parts = self._parts(row)
            paths = {
                place.path.split("/")[1]
                for reason in suspect.reasons
                for place in reason.evidence
                if place.seq == suspect.seq and place.path
            }
            told = [key for key in parts if len(key) == 3 and str(key[2]) in paths]
            return told or parts
        key = ("swap", row.get("name"))
        return [key] if key in self.swaps else []

    def _parts(self, row):
        value = self._value(row["value"])
        if isinstance(value, list):
            return [("remove", row["name"], at) for at in range(len(value))]
        return [("remove", row["name"])] if isinstance(value, str) else []

    def _others(self, row, output):
        if row["type"] == "tool":
            return [empty for kind, empty in NEUTRAL if isinstance(output, kind) and output]
        if isinstance(output, bool):
            return [not output]
        given = [self._value(each["value"]) for each in row.get("inputs") or ()]
        if len(given) == 1 and isinstance(given[0], dict) and output in given[0].values():
            return list(dict.fromkeys(each for each in given[0].values() if each != output))
        return []

    def _value(self, digest):
        return self.recording.values.object(digest)


def arguments_of(key, value=None):
    """A change as the keyword arguments of `run.whatif`."""
    verb, name, *part = key
    if verb == "remove":
        return {"remove": (name, *part) if part else name}
    if verb == "swap":
        return {"swap": {name: value}}
    return {verb: name}
