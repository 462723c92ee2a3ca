"""A module that keeps something for the programs that share it."""

NOTES: list[str] = []
LAST = ""


def keep(text):
    NOTES.append(text)


def begin():
    NOTES.clear()


class Store:
    def __init__(self):
        self.rows = {}

    def put(self, key, value):
        self.rows[key] = value

    def get(self, key):
        return self.rows.get(key, "")


STORE = Store()
