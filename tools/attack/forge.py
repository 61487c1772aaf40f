"""Forges tables, as docs/develop/format.md and format-verdicts.md describe them: with good checksums.

    forge.py DIRECTORY NUMBER FILE...    writes NUMBER forgeries of each whole table to the directory
"""

import struct
import sys
from pathlib import Path
from typing import NamedTuple

BLOCKS_OF_A_GROUP = 32
ENTRY = 7
# The first version with the byte of rule sets, by the letter of the kind of table.
RULE_SETS_SINCE = {"M": 6, "V": 4}


def crc_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


CRC = crc_table()


def crc(data):
    value = 0xFFFFFFFF
    for byte in data:
        value = value >> 8 ^ CRC[(value ^ byte) & 255]
    return value ^ 0xFFFFFFFF


def number(data, at, size):
    return int.from_bytes(data[at:at + size], "little")


def put(data, at, size, value):
    data[at:at + size] = value.to_bytes(size, "little")


def sections(data):
    """The offsets of the sections' own words in the header, as far as they are consistent."""
    header, size = number(data, 24, 8), number(data, 32, 4)
    end = header + size
    if end > len(data) or size < 8:
        return
    at = header + 4
    at += 1 + data[at]
    at += number(data, 8, 4) >= RULE_SETS_SINCE["M"]
    count, at = data[at] if at < end else 0, at + 1
    for section in range(count):
        if end - at < 6:
            return
        at += 4
        at += 1 + data[at]
        if end - at < 41:
            return
        yield section, at
        at += 41 + 3 * number(data, at + 37, 4)
        for _ in range(2):
            at += 8
            for items in range(4):
                listed, at = number(data, at, 4), at + 4
                for _ in range(listed):
                    at += 8 if items < 2 else 1 + (data[at] if at < end else 0)
                    if at > end:
                        return


def reseal(data):
    """All checksums: of the models and blocks that the header points to, of the header, and of the preamble.
    Of a verdict table, those of the header and the preamble."""
    for section, at in sections(data) if data[3:4] == b"M" else ():
        cells, of_block, start = number(data, at, 8), number(data, at + 8, 4), number(data, at + 13, 8)
        ranked, model = data[at + 12] in (1, 2), number(data, at + 21, 4)
        if start + model <= len(data):
            put(data, at + 25, 4, crc(data[start:start + model]))
        index = number(data, at + 29, 8)
        # By symbol ranking the checksum of a block is inside, and of what it decodes to.
        if ranked:
            continue
        for block in range(min(-(-cells // of_block), 4096) if of_block else 0):
            reseal_block(data, index, block, section)
    reseal_header(data)


def reseal_header(data):
    header, size = number(data, 24, 8), number(data, 32, 4)
    if header + size <= len(data):
        put(data, 36, 4, crc(data[header:header + size]))
    put(data, 16, 8, len(data))
    put(data, 12, 4, crc(data[:12]))
    put(data, 60, 4, crc(data[:60]))


def reseal_block(data, index, block, section):
    group = index + block // BLOCKS_OF_A_GROUP * (8 + BLOCKS_OF_A_GROUP * ENTRY)
    entry = group + 8 + block % BLOCKS_OF_A_GROUP * ENTRY
    if entry + ENTRY > len(data):
        return
    place, size = number(data, group, 8), number(data, entry, 3)
    place += sum(number(data, group + 8 + ENTRY * before, 3) for before in range(block % BLOCKS_OF_A_GROUP))
    if place + size <= len(data):
        head = struct.pack("<QIQB", place, size, block, section)
        put(data, entry + 3, 4, crc(head + data[place:place + size]))


def forged(whole, random):
    """The table with some bytes changed, half of them in its header, and its checksums corrected."""
    data = bytearray(whole)
    header, size = number(data, 24, 8), number(data, 32, 4)
    for _ in range(random.randrange(1, 5)):
        places = random.choice([(header, header + size), (64, len(data)), (0, 64)])
        at = random.randrange(*places)
        data[at] = random.choice([0, 1, 255, random.randrange(256), data[at] ^ 1 << random.randrange(8)])
    reseal(data)
    return bytes(data)


# The byte of a section with its rule set.
RULE_SET = 1
# The fields that say for which rule sets and values the cells stand, or how they are decoded: a verdict table's blocks
# are checked against the last three only where they are decoded to the end.
STATED = {"rule sets", "order", "parent", "reference", "guide"}


class Field(NamedTuple):
    """A field of a header, and the section or side that it belongs to."""
    name: str
    part: int
    at: int
    size: int


class Header:
    """The header of a whole table, of either kind."""

    def __init__(self, whole):
        self.start = number(whole, 24, 8)
        self.bytes = bytes(whole[self.start:])
        self.fields = []
        kind = chr(whole[3])
        self.field("revision", 0, 4)
        self.field("name", 0, self.field("length of the name", 0, 1))
        if number(whole, 8, 4) >= RULE_SETS_SINCE[kind]:
            self.field("rule sets", 0, 1)
        self.distances() if kind == "M" else self.verdicts()
        assert self.end() == len(self.bytes), "every byte belongs to a field"

    def end(self):
        return self.fields[-1].at + self.fields[-1].size if self.fields else 0

    def field(self, name, part, size):
        self.fields.append(Field(name, part, self.end(), size))
        return number(self.bytes, self.fields[-1].at, size)

    def distances(self):
        for part in range(self.field("number of parts", 0, 1)):
            for name in ["metric", "rule set", "side", "symmetry"]:
                self.field(name, part, 1)
            self.field("order", part, self.field("length of the order", part, 1))
            for name, size in [("cells", 8), ("cells per block", 4), ("packing", 1), ("offset", 8), ("length of the model", 4),
                               ("checksum of the model", 4), ("offset of the index", 8)]:
                self.field(name, part, size)
            for _ in range(self.field("number of codes", part, 4)):
                self.field("code", part, 3)
            for _ in range(2):
                self.field("draws", part, 8)
                for _ in range(2):
                    for _ in range(self.field("number of wins", part, 4)):
                        self.field("wins", part, 8)
                for _ in range(2):
                    for _ in range(self.field("number of examples", part, 4)):
                        self.field("example", part, self.field("length of an example", part, 1))

    def verdicts(self):
        for _ in range(30):
            self.field("positions", 0, 8)
        for part in range(self.field("number of parts", 0, 1)):
            self.field("winner", part, 1)
            self.field("order", part, self.field("length of the order", part, 1))
            self.field("planes per block", part, 1)
            for _ in range(4):
                coded = self.field("kind of a set", part, 1) == 2
                self.field("parent", part, 1)
                for name, size in [("reference", 1), ("guide", 1), ("length of a length", 1), ("offset of a model", 8),
                                   ("length of a model", 4), ("checksum of a model", 4)] if coded else ():
                    self.field(name, part, size)
            self.field("offset of the index", part, 8)

    def parts(self):
        """The bytes before the sections or sides, and those of each of them."""
        starts = [field.at for field in self.fields if field.name in ("metric", "winner")]
        ends = [*starts[1:], len(self.bytes)]
        return self.bytes[:starts[0]], [self.bytes[start:end] for start, end in zip(starts, ends)]


class Forgery(NamedTuple):
    """A forged file. It may state other values for its cells: then it is like a file with other blocks."""
    what: str
    whole: bytes
    start: int
    header: bytes
    changed: dict
    states_other_values: bool

    def data(self):
        """The file, made only when it is needed: all forgeries of a table together would fill the memory."""
        forged = bytearray(self.whole[:self.start] + self.header)
        put(forged, 32, 4, len(self.header))
        reseal_header(forged)
        for at, value in self.changed.items():
            forged[at] = value
        put(forged, 12, 4, crc(forged[:12]))
        put(forged, 60, 4, crc(forged[:60]))
        return bytes(forged)


def other_values(old, size):
    """The values that are tried in a field."""
    most = (1 << 8 * size) - 1
    tried = {0, 1, 2, 3, old + 1, old - 1, old ^ 1, old * 2, old // 2, most // 2, most // 2 + 1, most, 1 << 20}
    return sorted({value & most for value in tried} - {old})


def changed_fields(header):
    """Every field of a header, and each of its bytes, with other values."""
    for field in header.fields:
        sizes = [(field.at, field.size)] if field.size in (1, 2, 4, 8) else []
        for at, size in sizes + ([(field.at + byte, 1) for byte in range(field.size)] if field.size > 1 else []):
            for value in other_values(number(header.bytes, at, size), size):
                data = bytearray(header.bytes)
                put(data, at, size, value)
                yield f"{field.name} of {field.part}: {value} at {at}", bytes(data), field.name in STATED


def changed_parts(header):
    """The sections or sides in another order, dropped and repeated, and their metrics or colours exchanged."""
    before, parts = header.parts()
    places = range(len(parts))
    orders = [[], [0] * 255, *[[place] for place in places]]
    for a in places:
        orders += [[place for place in places if place != a], [*places, a]]
        for b in range(a):
            swapped = list(places)
            swapped[a], swapped[b] = b, a
            orders.append(swapped)
            for byte in range(4):
                mixed = [bytearray(part) for part in parts]
                mixed[a][byte], mixed[b][byte] = parts[b][byte], parts[a][byte]
                # Two distances to honor may pass for those of each other's rule sets.
                yield f"byte {byte} of parts {b} and {a} exchanged", before + b"".join(mixed), byte == RULE_SET
    for order in orders:
        if order != list(places):
            listed = b"".join(parts[place] for place in order)
            yield f"parts {order[:9]}", before[:-1] + bytes([len(order)]) + listed, False


def forged_headers(whole):
    """All forgeries of the header of a whole table, and of the version and the places in its preamble."""
    header = Header(whole)

    def forge(what, data=header.bytes, changed=None, stated=False):
        return Forgery(what, whole, header.start, data, changed or {}, stated)

    for at in [8, *range(16, 40)]:
        for value in other_values(whole[at], 1):
            yield forge(f"byte {at} of the preamble: {value}", changed={at: value})
    for changes in (changed_parts, changed_fields):
        for what, data, stated in changes(header):
            yield forge(what, data, stated=stated)


def main():
    directory, number_of_each, *files = sys.argv[1:]
    for file in map(Path, files):
        forgeries = list(forged_headers(file.read_bytes()))
        for at in range(0, len(forgeries), max(1, len(forgeries) // int(number_of_each))):
            (Path(directory) / f"{file.name}.forged-{at}").write_bytes(forgeries[at].data())


if __name__ == "__main__":
    main()
