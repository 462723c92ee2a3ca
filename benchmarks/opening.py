"""How long opening a long run takes, and what it holds in memory, beside a bare lazy pass.

    python benchmarks/opening.py [LINKS]

A link here is two values of about 150 bytes each (shared ones are stored once), one
``link_opened`` and one ``link_closed`` record: about 1 KB. The bare pass splits the file into
lines and parses, with orjson, those that are no values.
"""

import gc
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path

import orjson

LINKS = 100_000
TEXT = "The fare for a delay of forty minutes is not half; see the tariff, page %d. " * 4


def write(path, links):
    from explainkit.store import FileSink

    sink = FileSink(path, run="bench", name="bench")
    sink.write(
        b'{"kind":"run_started","seq":0,"at":1764500000000000000,"run":"bench","name":"bench"}\n'
    )
    seq = 1
    for link in range(links):
        keys, lines = [], []
        for side in (0, 1):
            data = orjson.dumps((TEXT % ((2 * link + side,) * 4))[:300])
            key = sha256(data).hexdigest()[:40].encode()
            at = 1764500000000000000 + seq
            lines.append(
                b'{"kind":"value","seq":%d,"at":%d,"digest":"%s","media":"text/plain",'
                b'"size":%d,"fidelity":"exact","data":%s}\n' % (seq, at, key, len(data), data)
            )
            keys.append(key)
            seq += 1
        lines.append(
            b'{"kind":"link_opened","seq":%d,"at":%d,"parent":null,"type":"tool","name":"look_up",'
            b'"inputs":[{"slot":"question","value":"%s"}],"cell":{"count":3,"hash":"8d5e957f29"}}\n'
            % (seq, 1764500000000000000 + seq, keys[0])
        )
        lines.append(
            b'{"kind":"link_closed","seq":%d,"at":%d,"link":%d,"status":"answered","output":"%s"}\n'
            % (seq + 1, 1764500000000000000 + seq + 1, seq, keys[1])
        )
        seq += 2
        sink.write(b"".join(lines))
    sink.close(seq, "answered")


def bare(path):
    rows = 0
    with path.open("rb") as lines:
        for line in lines:
            if not line.startswith(b'{"kind":"value"'):
                orjson.loads(line)
                rows += 1
    return rows


def opened(path):
    from explainkit.store import Recording

    return Recording.read(path)


def timed(call, path):
    best = float("inf")
    for _ in range(3):
        gc.collect()
        start = time.perf_counter()
        call(path)
        best = min(best, time.perf_counter() - start)
    return best


PEAK = """
import sys, numpy
from pathlib import Path
from explainkit.store import Recording

def kilobytes(what):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(what))

before = kilobytes("VmRSS")
recording = Recording.read(Path(sys.argv[1]))
{then}
print(kilobytes("VmHWM") - before)
"""


def peak(path, then=""):
    command = [sys.executable, "-c", PEAK.format(then=then), str(path)]
    return int(subprocess.run(command, capture_output=True, check=True, text=True).stdout) * 1024


def main():
    links = int(sys.argv[1]) if len(sys.argv) > 1 else LINKS
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "long.ek.jsonl")
        write(path, links)
        size = path.stat().st_size
        print(f"{links:,} links, {size / 1e6:,.0f} MB")
        one, two = timed(bare, path), timed(opened, path)
        print(f"bare pass            {one:8.2f} s")
        print(f"Recording.read       {two:8.2f} s   {two / one:5.2f} x the bare pass (bar: 3)")
        recording = opened(path)
        start = time.perf_counter()
        rows = sum(1 for _ in recording.rows())
        print(f"then all rows        {time.perf_counter() - start:8.2f} s   {rows:,} rows")
        start = time.perf_counter()
        recording.values.data(recording.raw(2)["digest"])
        print(f"first value          {time.perf_counter() - start:8.2f} s")
        for what, then in (("read", ""), ("read and look up", "'0' * 40 in recording.values")):
            used = peak(path, then)
            print(
                f"peak memory, {what:17} {used / 1e6:6.0f} MB, {used / links:4.0f} bytes a link "
                "with the block that is read (bar: 300)"
            )


if __name__ == "__main__":
    main()
