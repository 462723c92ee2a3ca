"""What a write to a run file costs beside the bare system call and the running hash.

python benchmarks/appending.py [WRITES]
"""

import os
import statistics
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path

from explainkit.store import FileSink, MemorySink

WRITES = 20_000
LINE = b'{"kind":"note","seq":1,"at":1764500000000000000,"text":"%s"}\n' % (b"x" * 2440)
ROUNDS = 7


def bare(path, writes):
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    digest = sha256()
    start = time.perf_counter()
    for _ in range(writes):
        os.write(file, LINE)
        digest.update(LINE)
    spent = time.perf_counter() - start
    os.close(file)
    return spent


def written(sink, writes):
    write = sink.write
    start = time.perf_counter()
    for _ in range(writes):
        write(LINE)
    spent = time.perf_counter() - start
    sink.close(writes, "answered")
    return spent


def main():
    writes = int(sys.argv[1]) if len(sys.argv) > 1 else WRITES
    spent = {"os.write and sha256": [], "FileSink.write": [], "MemorySink.write": []}
    for number in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            spent["os.write and sha256"].append(bare(place / "bare", writes))
            file = FileSink(place / "a.ek.jsonl", run=f"r{number}", name="bench")
            spent["FileSink.write"].append(written(file, writes))
            memory = MemorySink(run=f"r{number}", name="bench")
            spent["MemorySink.write"].append(written(memory, writes))
    base = statistics.median(spent["os.write and sha256"])
    print(f"{len(LINE):,} bytes a write, {writes:,} writes, median of {ROUNDS}")
    for name, times in spent.items():
        median = statistics.median(times)
        print(f"{name:22} {median / writes * 1e6:7.2f} us   {median / base:5.2f} x")


if __name__ == "__main__":
    main()
