"""Writes `src/metrics/text/classes.bin`: which characters are letters, numbers, punctuation and symbols.

For each run of characters of one class, its length and its class as one number, `length * 5 + class`, in groups of
seven bits, the lowest first, the highest bit saying that another one follows. Run by hand, as `cases.py` is.
"""

import pathlib

import regex

CLASSES = [None, *(regex.compile(rf"\p{{{name}}}") for name in "LNPS")]


def class_of(code: int) -> int:
    character = chr(code)
    return next((number for number, one in enumerate(CLASSES) if one and one.match(character)), 0)


def number(value: int) -> bytes:
    groups = [value & 0x7F]
    while value := value >> 7:
        groups[-1] |= 0x80
        groups.append(value & 0x7F)
    return bytes(groups)


def main() -> None:
    table = bytearray()
    start, current = 0, class_of(0)
    for code in range(1, 0x110000):
        found = class_of(code)
        if found != current:
            table += number((code - start) * 5 + current)
            start, current = code, found
    # What follows the last run has no class.
    path = pathlib.Path(__file__).parents[3] / "src/metrics/text/classes.bin"
    path.write_bytes(table)
    print(f"{len(table)} bytes")


main()
