"""Corrects the checksums of a damaged table, as docs/develop/format.md describes them."""

import struct

BLOCKS_OF_A_GROUP = 32
ENTRY = 7


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
    """All checksums: of the models and blocks that the header points to, of the header, and of the preamble."""
    for section, at in sections(data):
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
