#!/usr/bin/env python3
"""Reads a database of a killed program by the format tables of engine/README.md and
engine/runs/README.md alone, and proves every checksum, count and row in it.

usage: documented_format_test.py ENGINE_KILL_WRITER

Exit codes: 0 as documented; 1 not so, with the place; 77 XXH3 cannot be had (libxxhash.so.0).
"""

import ctypes
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ENOUGH_ACKNOWLEDGED = 8000  # batches: several runs and segments
WRITERS = 8  # as in kill_workload.h, which says what the keys and values are
MOST_ROWS = 20
SLOT = 128 << 10
BLOCK = 4096
MASK = (1 << 64) - 1


def load_xxh3():
    try:
        function = ctypes.CDLL("libxxhash.so.0").XXH3_64bits_withSeed
    except OSError:
        sys.exit(77)
    function.restype = ctypes.c_uint64
    function.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64]
    return lambda data, seed=0: function(bytes(data), len(data), seed)


XXH3 = load_xxh3()


def expect(same, what):
    if not same:
        sys.exit(f"not as documented: {what}")


class Fields:
    """Little-endian fields, one behind the other."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def take(self, kinds):
        values = struct.unpack_from("<" + kinds, self.data, self.at)
        self.at += struct.calcsize("<" + kinds)
        return values if len(values) > 1 else values[0]

    def text(self):
        return self.take(f"{self.take('Q')}s")

    def varint(self):
        value = shift = 0
        while True:
            byte = self.take("B")
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value


def read_slot(data):
    fields = Fields(data)
    checksum, magic, version, size, word0, word1, epoch = fields.take("Q8sIIQQQ")
    expect((magic, version) == (b"BRINMANF", 1), "the manifest's magic and version")
    if checksum != XXH3(data[8 : 48 + size]):
        return None  # the program was killed while it wrote this one
    creator, log_start = fields.text(), fields.take("QQ")
    fields.take("QQ5QQ")  # checkpoint LSN, closed, end, next run
    runs = [fields.take("Q") for _ in range(fields.take("Q"))]
    tables = [fields.text() for _ in range(fields.take("Q"))]
    expect(fields.at == 48 + size, "the size of the manifest's lists")
    expect(creator == b"", "the creator")
    return {"epoch": epoch, "id": (word0, word1), "log": log_start, "runs": runs, "tables": tables}


def read_manifest(folder):
    data = (folder / "MANIFEST").read_bytes()
    slots = [read_slot(data[:SLOT]), read_slot(data[SLOT:])]
    return max((slot for slot in slots if slot), key=lambda slot: slot["epoch"])


def read_body(body, kind, rows):
    """(table, key, operation, value) of each row."""
    fields, table, found = Fields(body), None, []
    while fields.at < len(body):
        key, word = fields.take("qI")
        value = fields.take(f"{word & (1 << 30) - 1}s")
        if word >> 30 == 3:
            table = key
        else:
            found.append((table, key, word >> 30, value))
    expect(fields.at == len(body) and len(found) == rows, "a body's size and rows")
    expect(kind == 1 or (kind == 2 and rows == 1), "a record's kind")
    return found


def read_segment(data, header, database):
    """The rows of all groups, and the LSN where they end."""
    generation, start, capacity = header
    at, rows, left_in_group, group = BLOCK, [], 0, 0
    while at + 64 <= capacity:
        fields = Fields(data, at)
        checksum, body_checksum, lsn, base, group_bytes, size, count, behind = fields.take("4Q4I")
        record_generation, kind, zeros = fields.take("QH6s")
        seed = database[0] ^ record_generation
        if record_generation != generation or checksum != XXH3(data[at + 8 : at + 64], seed):
            break
        body = data[at + 64 : at + 64 + size]
        if body_checksum != XXH3(body):
            break  # torn: the program was killed while it wrote
        if left_in_group == 0:
            group, left_in_group = at, behind + 1
        left_in_group -= 1
        expect(behind == left_in_group and group % BLOCK == 0, f"the group at {at}")
        expect((lsn, base) == (start + at, start + group), f"LSN and group base at {at}")
        expect(not any(zeros), f"the zeros at {at}")
        rows += read_body(body, kind, count)
        at += (64 + size + 7) // 8 * 8
        if left_in_group == 0:
            expect(not any(data[at : group + group_bytes]), f"the padding at {at}")
            at = group + group_bytes
    return rows, start + at


def read_log(folder, manifest):
    sequence, end = manifest["log"]
    rows, segments, last_generation = [], 0, 0
    while (path := folder / f"log-{sequence:012}").exists():
        data = path.read_bytes()
        fields = Fields(data)
        checksum, magic, version, block, word0, word1, named = fields.take("Q8sIIQQQ")
        generation, start, capacity, last, last_end, _ = fields.take("6Q")
        if magic != b"BURINLOG" or named != sequence:
            break  # made ahead, from zeros or from an old one
        expect(checksum == XXH3(data[8:96]), f"{path.name}: checksum")
        expect((version, block, word0, word1) == (1, BLOCK, *manifest["id"]), path.name)
        expect(start >= end and capacity <= len(data), f"{path.name}: place")
        expect(not segments or (last, last_end) == (last_generation, end), f"{path.name}: end")
        found, end = read_segment(data, (generation, start, capacity), manifest["id"])
        rows += found
        last_generation = generation
        segments, sequence = segments + 1, sequence + 1
    return rows, segments


def fmix64(key):
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        key = (key ^ key >> 33) * factor & MASK
    return key ^ key >> 33


def check_filter(data, seed, keys):
    checksum = Fields(data).take("Q")
    expect(checksum == XXH3(data[8:], seed), "a filter's checksum")
    words = Fields(data, 8).take(f"{len(data) // 8 - 1}Q")
    words = words if isinstance(words, tuple) else (words,)
    expect(len(words) == (10 * len(keys) + 63) // 64, "a filter's size")
    for key in keys:
        h = fmix64(key & MASK)
        word = words[(h >> 32) * len(words) >> 32]
        expect(all(word >> (h >> 6 * i) % 64 & 1 for i in range(5)), "a filter's bits")


def read_block(data, entry, seed):
    first, last, at, checksum, size, filter_size = entry
    block = data[at : at + size]
    fields = Fields(block)
    own_checksum, own_size, table, count, key_count, erased, own_filter = fields.take("Q6I")
    own_first, own_last, lowest, highest, base, value_bytes = fields.take("qq4Q")
    expect(checksum == own_checksum == XXH3(block[8:], seed), f"the block's checksum at {at}")
    expect((size, filter_size) == (own_size, own_filter), f"the block's sizes at {at}")
    restarts = (count + 15) // 16
    places = [Fields(block, size - 2 * restarts + 2 * i).take("H") for i in range(restarts)]
    rows, key, last_lsn = [], 0, 0
    for i in range(count):
        if i % 16 == 0:
            expect(places[i // 16] == fields.at - 80, f"restart {i // 16} at {at}")
            key, last_lsn = own_first, base
        key += fields.varint()
        head = fields.varint()
        is_erased = head & 3 == 3
        form, bytes_of_value = (head >> 2, 0) if is_erased else (head & 3, head >> 2)
        zigzag = fields.varint() if form == 2 else 0
        lsn = 0 if form == 1 else last_lsn + (zigzag >> 1 ^ -(zigzag & 1))
        last_lsn = lsn or last_lsn
        rows.append((table, key, lsn, is_erased, fields.take(f"{bytes_of_value}s")))
    keys, lsns = {row[1] for row in rows}, [row[2] for row in rows]
    expect(fields.at == size - 2 * restarts, f"the end of the rows at {at}")
    expect((own_first, own_last) == (first, last) == (min(keys), max(keys)), f"the keys at {at}")
    expect((len(keys), sum(row[3] for row in rows)) == (key_count, erased), f"the counts at {at}")
    expect((lowest, highest) == (min(lsns), max(lsns)), f"the LSNs at {at}")
    expect(base == next(filter(None, lsns), 0), f"the base LSN at {at}")
    expect(value_bytes == sum(len(row[4]) for row in rows), f"the bytes of values at {at}")
    if filter_size:
        check_filter(data[at + size : at + size + filter_size], own_checksum, keys)
    else:
        expect(last - first + 1 == len(keys), f"a block without a filter at {at}")
    return rows


def read_run(folder, run, database):
    data = (folder / f"run-{run:012}").read_bytes()
    footer = data[-112:]
    checksum, magic, version, pages, word0, word1, run_id, size = Fields(footer).take("Q8sIIQQQQ")
    root_checksum, blocks, count, erased, live, lowest, highest = Fields(footer, 56).take("7Q")
    seed = database[0] ^ (database[1] << 32 | database[1] >> 32) & MASK
    root = data[-112 - 32 * pages : -112]
    expect(checksum == XXH3(footer[8:]) and root_checksum == XXH3(root, seed), "a run's checksums")
    expect((magic, version, word0, word1) == (b"BURINRUN", 1, *database), "a run's footer")
    expect((run_id, size) == (run, len(data)), "a run's id and size")
    rows, read_blocks, at = [], 0, 0
    for i in range(pages):
        _, _, page_at, table, entries = Fields(root, 32 * i).take("qqQII")
        page = data[page_at : page_at + 32 + 40 * entries]
        expect(Fields(page).take("Q") == XXH3(page[8:], seed), "a page's checksum")
        expect(Fields(page, 8).take("QQII") == (run, page_at, table, entries), "a page")
        for j in range(entries):
            entry = Fields(page, 32 + 40 * j).take("qqQQII")
            expect(entry[2] == at, "a gap between blocks")
            rows += read_block(data, entry, seed)
            at += entry[4] + entry[5]
            read_blocks += 1
        expect(page_at == at, "a gap before a page")
        at += len(page)
    expect(at == len(data) - 112 - 32 * pages, "a gap before the root")
    lsns = [row[2] for row in rows]
    expect((blocks, count) == (read_blocks, len(rows)), "a run's totals")
    expect(erased == sum(row[3] for row in rows), "a run's erased rows")
    expect(live == sum(8 + len(row[4]) for row in rows if not row[3]), "a run's live bytes")
    expect((lowest, highest) == (min(lsns), max(lsns)), "a run's LSNs")
    expect(rows == sorted(rows, key=lambda row: (row[0], row[1], -row[2])), "a run's order")
    return rows


def write_and_kill(writer, folder):
    """The last batch of each writer that was acknowledged."""
    acknowledged = {}
    command = [writer, str(folder), "rows", "pipelined"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as program:
        for _ in range(ENOUGH_ACKNOWLEDGED):
            thread, batch = struct.unpack("<II", program.stdout.read(8))
            acknowledged[thread] = batch
        program.kill()
    return acknowledged


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "db"
        acknowledged = write_and_kill(sys.argv[1], folder)
        manifest = read_manifest(folder)
        logged, segments = read_log(folder, manifest)
        runs = [read_run(folder, run, manifest["id"]) for run in manifest["runs"]]
    names = manifest["tables"] + [row[3] for row in logged if row[0] == 0 and row[3] == b"rows"]
    expect(b"rows" in names, "the table's name, in the manifest or the log")
    expect(runs and segments, "runs and a log, as so much was written")
    values = {row[1]: row[3] for row in logged if row[2] < 2 and row[3] != b"rows"}
    values.update({row[1]: row[4] for run in runs for row in run if not row[3]})
    for key, value in values.items():
        expect(value.split(b" ")[1] == b"%d" % key, f"the value of key {key}: {value[:40]}")
    for thread, batch in acknowledged.items():
        expect(batch * MOST_ROWS * WRITERS + thread in values, f"batch {batch} of {thread}")
    print(f"{segments} segments, {len(runs)} runs, {len(values)} keys: as documented")


main()
