#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""corpus.py unpack FILE DIR | pack DIR FILE

Convert the inputs of a fuzzer: each line of FILE is one input, in hex and the
shortest first; each file in DIR is one input.
"""
import pathlib
import sys


def unpack(file, directory):
    directory.mkdir(parents=True, exist_ok=True)
    for n, line in enumerate(file.read_text().split()):
        (directory / f"{n:04}").write_bytes(bytes.fromhex(line))


def pack(directory, file):
    inputs = {f.read_bytes() for f in directory.iterdir() if f.is_file()}
    lines = [i.hex() for i in sorted(inputs, key=lambda i: (len(i), i)) if i]
    file.write_text("".join(line + "\n" for line in lines))


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("pack", "unpack"):
        sys.exit(__doc__)
    {"pack": pack, "unpack": unpack}[sys.argv[1]](*map(pathlib.Path, sys.argv[2:]))


if __name__ == "__main__":
    main()
