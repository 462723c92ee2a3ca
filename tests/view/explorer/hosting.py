"""A notebook's part of the explorer, played in a plain page: traits and messages over real runs."""

import json
from concurrent.futures import ThreadPoolExecutor

from explainkit.session.panel_reruns import PanelReruns
from explainkit.view.explorer import Exploration
from explainkit.view.explorer.exchange import Exchange
from explainkit.view.explorer.script import module_text, style_text
from tests.view.explorer.walking import walks_of

HOST = """async ({script, style, state, shadow}) => {
  const around = document.body.appendChild(document.createElement("div"));
  const root = shadow ? around.attachShadow({mode: "open"}) : around;
  root.append(Object.assign(document.createElement("style"), {textContent: style}));
  const heard = {};
  const fire = (name, ...rest) => { for (const act of [...(heard[name] ?? [])]) act(...rest); };
  const take = (changes) => {
    for (const [name, value] of changes) { state[name] = value; fire(`change:${name}`); }
  };
  window.outside = [];
  document.addEventListener("keydown", (event) => outside.push(event.key));
  window.model = {
    state, heard, sent: [], silent: false,
    get: (name) => state[name],
    set(name, value) {
      if (state[name] === value) return;
      state[name] = value;
      fire(`change:${name}`);
      if (name === "cursor" && !this.silent) moved(value).then(take);
    },
    save_changes() {},
    on(name, act) { (heard[name] ??= []).push(act); },
    off(name, act) { heard[name] = (heard[name] ?? []).filter((each) => each !== act); },
    async send(message) {
      this.sent.push(message);
      if (this.silent) return;
      const {reply, changes} = await asked(message);
      take(changes);
      fire("msg:custom", reply);
    },
    take,
  };
  const address = URL.createObjectURL(new Blob([script], {type: "text/javascript"}));
  const module = await import(address);
  const el = document.createElement("div");
  root.append(el);
  window.close_explorer = module.default.render({model, el});
}"""


def made(make):
    """A run made in a thread of its own: Playwright's loop runs in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(make).result()


class Hosted:
    """An explorer of a run in a page."""

    def __init__(self, run, *, call=None, **walk):
        self.reruns = PanelReruns(run, call)
        self.exploration = Exploration(run.evidence, walk=walks_of(run), reruns=self.reruns)
        self.exchange = Exchange(self.exploration)
        self.reruns.shown_in(self.exchange, self.exploration.causes.found)
        self.changes = []
        self.exchange.watch(lambda name, value: self.changes.append([name, value]))
        self.scene = self.exploration.scene()
        self.exchange.reply({"id": 0, "ask": "chart"})
        self.exchange.reply({"id": 0, "ask": "walk", **walk})
        self.page = None

    def state(self):
        held = self.exchange
        return {
            "scene": self.scene,
            "chart": held.chart,
            "shown": held.shown,
            "cursor": held.cursor,
            "status": held.status,
            "tried": held.tried,
            "found": held.found,
        }

    def into(self, page, state=None, *, shadow=False):
        """Show the explorer in an empty page, in a shadow tree as marimo does when told so."""
        self.page = page
        page.expose_function("asked", self._asked)
        page.expose_function("moved", self._moved)
        page.set_content("<!DOCTYPE html><html lang='en'><title>A run</title><body></body></html>")
        page.evaluate(
            HOST,
            {
                "script": module_text(),
                "style": style_text(),
                "state": state or self.state(),
                "shadow": shadow,
            },
        )
        page.locator(".ek-explorer").wait_for()
        return page

    def _asked(self, message):
        self.changes.clear()
        reply = self.exchange.reply(message)
        return json.loads(json.dumps({"reply": reply, "changes": self.changes}))

    def _moved(self, seq):
        self.changes.clear()
        self.exchange.move(seq)
        return json.loads(json.dumps(self.changes))

    def deliver(self):
        """Let what a measurement told beside the page's questions reach the page."""
        assert self.reruns.wait(30)
        changes = [["tried", self.exchange.tried], ["found", self.exchange.found]]
        self.page.evaluate("changes => model.take(changes)", json.loads(json.dumps(changes[::-1])))

    def walks(self):
        """The walks that were asked for, as ``(start, end)``."""
        sent = self.page.evaluate("model.sent.filter((each) => each.ask === 'walk')")
        return [(each["start"], each["end"]) for each in sent]
