"""Reads a trace file (.bscope) for scripts: arrays, and each thread's events. docs/trace-format.md says what they hold."""

import collections
import pathlib
import re
import struct

ROOT = pathlib.Path(__file__).resolve().parent.parent
Event = collections.namedtuple("Event", "line op array bits a b")
Array = collections.namedtuple("Array", "name kind size offset")
# phases: the names by their hashes, which events of phases hold. blocks[b][t]: the events of thread t; snapshots[b]: the block's shared memory at each barrier and at the end;
# after[k]: global array k when the launch ended.
Launch = collections.namedtuple("Launch", "name source grid block shared phases blocks snapshots after shared_bytes")
Trace = collections.namedtuple("Trace", "kernel arrays launches findings output expected")

# Bytes of a cell, by an array's kind (bscope::ElementType).
CELL_BYTES = (1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 0, 4, 8, 2, 2)
WIDTHS = {"int": "<i", "uint": "<I", "byte": "<B"}


def operations():
    """The names of the operations by their numbers (engine/trace/events.def)."""
    text = re.sub(r"//[^\n]*", "", (ROOT / "engine/trace/events.def").read_text())
    return re.findall(r"^(?:EVENT|ATOMIC)\((\w+)", text, re.M)


OPERATIONS = operations()


class Table:
    """A table of a FlatBuffer: its members by their numbers in the schema (engine/trace/bscope.fbs)."""

    def __init__(self, data, at):
        self.data, self.at = data, at
        self.members = at - struct.unpack_from("<i", data, at)[0]
        self.size = struct.unpack_from("<H", data, self.members)[0]

    def place(self, member):
        """Where the member lies; None: it is not there."""
        entry = 4 + 2 * member
        offset = struct.unpack_from("<H", self.data, self.members + entry)[0] if entry < self.size else 0
        return self.at + offset if offset else None

    def number(self, member, kind="int", default=0):
        at = self.place(member)
        return default if at is None else struct.unpack_from(WIDTHS[kind], self.data, at)[0]

    def behind(self, member):
        """Where what the member refers to begins."""
        at = self.place(member)
        return None if at is None else at + struct.unpack_from("<I", self.data, at)[0]

    def table(self, member):
        at = self.behind(member)
        return None if at is None else Table(self.data, at)

    def vector(self, member, width=1):
        """The bytes of a vector of numbers or structs."""
        at = self.behind(member)
        if at is None:
            return b""
        length = struct.unpack_from("<I", self.data, at)[0]
        return self.data[at + 4:at + 4 + length * width]

    def text(self, member):
        return self.vector(member).decode()

    def tables(self, member):
        at = self.behind(member)
        if at is None:
            return []
        places = range(at + 4, at + 4 + 4 * struct.unpack_from("<I", self.data, at)[0], 4)
        return [Table(self.data, place + struct.unpack_from("<I", self.data, place)[0]) for place in places]


def hash_of(name):
    """FNV-1a."""
    hashed = 2166136261
    for byte in name.encode():
        hashed = (hashed ^ byte) * 16777619 % 2**32
    return hashed


def array(table):
    return Array(table.text(0), table.number(1, "byte"), table.number(2), table.number(3, "uint"))


def block_of(table):
    """The events of each thread of a block, and its snapshots."""
    first = [number for number, in struct.iter_unpack("<I", table.vector(0, 4))]
    events = [Event(*fields) for fields in struct.iter_unpack("<HBBIII", table.vector(1, 16))]
    return [events[begin:end] for begin, end in zip(first, first[1:])], table.vector(2)


def launch_of(table, sources):
    blocks = [block_of(block) for block in table.tables(7)]
    return Launch(table.text(0), sources[table.number(1)], table.number(2), table.number(3), [array(a) for a in table.tables(5)],
                  {hash_of(phase.text(0)): phase.text(0) for phase in table.tables(6)}, [events for events, _ in blocks], [snapshots for _, snapshots in blocks],
                  [bytes_of.vector(0) for bytes_of in table.tables(8)], table.number(4, "uint"))


def read(path):
    """The trace in the file."""
    data = pathlib.Path(path).read_bytes()
    root = Table(data, 4 + struct.unpack_from("<I", data, 4)[0])
    sources = [source.text(0) for source in root.tables(3)]
    findings = [(t.number(0), t.number(1), t.number(2), t.number(3)) for t in root.tables(13)]
    return Trace(root.text(1), [array(a) for a in root.tables(11)], [launch_of(t, sources) for t in root.tables(12)], findings,
                 root.number(8, default=-1), root.vector(9))
