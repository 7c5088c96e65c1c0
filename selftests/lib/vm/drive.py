#!/usr/bin/python3 -IS
# SPDX-License-Identifier: GPL-2.0-only
"""drive.py [--save|--load SAVED] DIR SECONDS QEMU ARGUMENTS...

Run a guest to its end. Write the data of its frames (see init.c): the command's output
and errors at once to stdout and stderr, the command's exit status to DIR/status, and
other results to DIR/illegal, DIR/leaks, DIR/next, DIR/setup-failed and DIR/coverage.
DIR/started appears with the guest's first output, DIR/done with its last, before
it powers off. DIR/console has the kernel's log.

--save runs no command: it saves the guest in the directory SAVED when the guest is ready
for a command. --load continues the guest. Its memory is in files, which --load maps
copy-on-write; a migration stream has the remaining state.

Exit status: the status of QEMU; 124 after SECONDS; 66 if the guest could not be
saved or loaded.
"""
import argparse
import ctypes
import json
import os
import re
import selectors
import signal
import socket
import struct
import subprocess
import sys
import time

PREAMBLE = b"\001openpmon\n"
FILES = {"i": "illegal", "l": "leaks", "n": "next", "s": "setup-failed", "d": "done",
         "b": "started", "c": "coverage"}


class Timeout(Exception):
    pass


class CannotSave(Exception):
    pass


class Frames:
    """Splits the guest's output into frames, (kind, data)."""

    def __init__(self, started):
        self.buf = bytearray()
        self.started = started

    def feed(self, data):
        self.buf += data
        if not self.started:
            at = self.buf.find(PREAMBLE)
            if at < 0:
                return
            del self.buf[:at + len(PREAMBLE)]
            self.started = True
            yield "b", b""
        while len(self.buf) >= 5:
            kind, length = struct.unpack_from("<BI", self.buf)
            if len(self.buf) < 5 + length:
                return
            data = bytes(self.buf[5:5 + length])
            del self.buf[:5 + length]
            yield chr(kind), data


class Monitor:
    """The part of QEMU's machine protocol (QMP) that saving and loading need."""

    def __init__(self, path, process):
        while True:
            try:
                self.socket = socket.socket(socket.AF_UNIX)
                self.socket.connect(path)
                break
            except OSError:
                if process.poll() is not None:
                    raise CannotSave("QEMU ended") from None
                time.sleep(0.01)
        self.file = self.socket.makefile("rw")
        self.file.readline()
        self.command("qmp_capabilities")
        # Leave memory in shared files out of the migration.
        self.command("migrate-set-capabilities", capabilities=[
            {"capability": "x-ignore-shared", "state": True}])

    def command(self, name, **arguments):
        try:
            self.file.write(json.dumps({"execute": name,
                                        "arguments": arguments}) + "\n")
            self.file.flush()
            for line in self.file:
                answer = json.loads(line)
                if "error" in answer:
                    raise CannotSave(answer["error"]["desc"])
                if "return" in answer:
                    return answer["return"]
        except OSError:
            pass
        raise CannotSave("QEMU ended")

    def finish(self):
        while True:
            status = self.command("query-migrate").get("status")
            if status == "completed":
                return
            if status in ("failed", "cancelled"):
                raise CannotSave(f"migration {status}")
            time.sleep(0.01)


def memory_arguments(arguments, saved, share):
    """Return QEMU's arguments, with the machine's memory in files of the directory @saved."""
    out = []
    found = False
    for a in arguments:
        m = re.match(r"memory-backend-ram,id=(\w+),(.*)", a)
        if m:
            found = True
            a = (f"memory-backend-file,id={m[1]},{m[2]},share={share},"
                 f"mem-path={saved}/{m[1]}")
        out.append(a)
    if not found:
        size = out[out.index("-m") + 1]
        out[out.index("-M") + 1] += ",memory-backend=ram"
        out += ["-object", f"memory-backend-file,id=ram,size={size},"
                f"share={share},mem-path={saved}/ram"]
    return out


def prepare():
    """Kill the guest when this program ends, and raise its priority if permitted.

    On a busy host a guest of normal priority falls behind its timers.
    """
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    try:
        os.nice(-10)
    except PermissionError:
        pass


def write_all(fd, data):
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view):]


class Guest:
    def __init__(self, options):
        saved = options.save or options.load
        arguments = list(options.arguments)
        self.dir = options.dir
        self.end = time.monotonic() + options.seconds
        self.frames = Frames(options.load is not None)
        if saved:
            arguments = memory_arguments(arguments, saved,
                                         "on" if options.save else "off")
            arguments += ["-qmp", f"unix:{self.dir}/qmp,server=on,wait=off"]
        if options.load:
            arguments += ["-incoming", "defer"]
        arguments += ["-chardev", f"file,id=console,path={self.dir}/console,append=on",
                      "-serial", "chardev:console",
                      "-chardev", "stdio,id=frames,signal=off",
                      "-serial", "chardev:frames"]
        with open(f"{self.dir}/qemu-stderr", "wb") as errors:
            self.process = subprocess.Popen(
                arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=errors, preexec_fn=prepare)
        self.out = self.process.stdout.fileno()
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.out, selectors.EVENT_READ)
        self.monitor = Monitor(f"{self.dir}/qmp", self.process) if saved else None

    def each_frame(self):
        while True:
            left = self.end - time.monotonic()
            if left <= 0 or not self.selector.select(left):
                raise Timeout
            data = os.read(self.out, 1 << 16)
            if not data:
                return
            yield from self.frames.feed(data)

    def keep(self, kind, data):
        name = FILES.get(kind)
        if kind in "oe":
            write_all(1 if kind == "o" else 2, data)
        elif kind == "x":
            with open(f"{self.dir}/status", "w", encoding="ascii") as f:
                f.write(f"{data[0]}\n")
        elif name:
            with open(f"{self.dir}/{name}", "ab") as f:
                f.write(data)

    def go_on(self):
        try:
            write_all(self.process.stdin.fileno(), b"\n")
        except BrokenPipeError:
            pass

    def run(self):
        for kind, data in self.each_frame():
            if kind == "r":
                self.go_on()
            else:
                self.keep(kind, data)
        return self.process.wait(max(1, self.end - time.monotonic()))

    def save(self, saved):
        for kind, _ in self.each_frame():
            if kind == "r":
                break
        else:
            raise CannotSave("the guest did not get ready")
        self.monitor.command("migrate", uri=f"exec:cat >{saved}/state.new")
        self.monitor.finish()
        self.monitor.command("quit")
        self.process.wait()
        os.rename(f"{saved}/state.new", f"{saved}/state")
        return 0

    def load(self, saved):
        self.monitor.command("migrate-incoming", uri=f"exec:cat {saved}/state")
        self.monitor.finish()
        self.keep("b", b"")
        self.go_on()
        return self.run()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--save")
    parser.add_argument("--load")
    parser.add_argument("dir")
    parser.add_argument("seconds", type=float)
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    guest = None
    try:
        guest = Guest(options)
        if options.save:
            return guest.save(options.save)
        if options.load:
            return guest.load(options.load)
        return guest.run()
    except (Timeout, subprocess.TimeoutExpired):
        return 124
    except CannotSave as e:
        with open(f"{options.dir}/qemu-stderr", encoding="utf-8") as f:
            said = "".join(line for line in f if "TCG doesn't" not in line)
        print(f"vm/run: saved guest: {e}\n{said}", file=sys.stderr, end="")
        return 66
    except BrokenPipeError:
        return 1
    finally:
        if guest and guest.process.poll() is None:
            guest.process.kill()


if __name__ == "__main__":
    sys.exit(main())
