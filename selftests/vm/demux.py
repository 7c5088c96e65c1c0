#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""demux.py DIR: split the guest's frames (see init.c) read from stdin.

Standard output and error go through at once. DIR/status gets the exit status
of the command, DIR/illegal, DIR/leaks, DIR/setup-failed what their names say.
DIR/started appears with the guest's first word, DIR/done with its last, when it
is going to power off.
"""
import os
import struct
import sys

PREAMBLE = b"\001openpmon\n"


def chunks():
    while True:
        data = os.read(0, 1 << 16)
        if not data:
            return
        yield data


def frames():
    buf = bytearray()
    started = False
    for data in chunks():
        buf += data
        if not started:
            at = buf.find(PREAMBLE)
            if at < 0:
                continue
            del buf[:at + len(PREAMBLE)]
            started = True
            yield "b", b""
        while len(buf) >= 5:
            kind, length = struct.unpack_from("<BI", buf)
            if len(buf) < 5 + length:
                break
            yield chr(kind), bytes(buf[5:5 + length])
            del buf[:5 + length]


def write_all(fd, data):
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view):]


def main(directory):
    files = {"i": "illegal", "l": "leaks", "s": "setup-failed", "d": "done",
             "b": "started"}
    for kind, data in frames():
        if kind == "o":
            write_all(1, data)
        elif kind == "e":
            write_all(2, data)
        elif kind == "x":
            with open(f"{directory}/status", "w") as f:
                f.write(f"{data[0]}\n")
        elif kind in files:
            with open(f"{directory}/{files[kind]}", "ab") as f:
                f.write(data)


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except BrokenPipeError:
        sys.exit(1)
