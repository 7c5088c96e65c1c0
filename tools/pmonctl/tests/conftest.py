# SPDX-License-Identifier: GPL-2.0-only
"""Tests of pmonctl on made-up hosts: builds pmonctl-test, gives each test a host, prints TAP.

pmonctl-test is pmonctl with the files, clock, counters and programs of a host (see Makefile and
host.c), built with address and undefined-behaviour sanitizers. With --tap the results are TAP, with
pytest's report below each failing test.
"""
import hashlib
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

import pytest

TESTS = pathlib.Path(__file__).resolve().parent
# Several source trees may share a cache.
CACHE = pathlib.Path(os.environ.get("OPENPMON_CACHE") or TESTS.parents[2] / ".cache")
OUT = CACHE / ("pmonctl-asan-" + hashlib.sha256(str(TESTS).encode()).hexdigest()[:12])
os.environ["PMONCTL_OUT"] = str(OUT)    # for pytest.ini
SANITIZE = "-fsanitize=address,undefined"


def pytest_addoption(parser):
    parser.addoption("--tap", action="store_true", help="print TAP")


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    # The shell ignores it for tests in the background, and so would jobs of pmonctl.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if config.option.tap:
        # Assertions need the terminal's writer, so it stays, and writes nothing.
        config.get_terminal_writer()._file = open(os.devnull, "w")
        config.pluginmanager.register(Tap())


def pytest_make_parametrize_id(val):
    """Name lists by what is in them."""
    return ", ".join(map(str, val)) if isinstance(val, list) else None


class Tap:
    """Prints a line for each test, and pytest's report below it if it fails."""

    def __init__(self):
        self.count = self.failed = 0

    def line(self, good, name, details="", skip=""):
        self.count += 1
        self.failed += not good
        print(f"{'' if good else 'not '}ok {self.count} - {name.replace('#', '')}{skip}")
        for line in details.splitlines():
            print("#", line)

    def pytest_collectreport(self, report):
        if report.failed:
            self.line(False, f"{report.nodeid} is collected", report.longreprtext)

    def pytest_runtest_logreport(self, report):
        file, _, name = report.nodeid.partition("::test_")
        words, bracket, given = name.partition("[")
        name = given[:-1] if words.endswith("fact") else f"{words.replace('_', ' ')}{' ' * bool(bracket)}{bracket}{given}"
        name = f"{file[5:-3]}: {name}"
        if report.skipped:
            self.line(True, name, skip=f" # SKIP {report.longrepr[2]}")
        elif report.failed or report.when == "call":
            self.line(report.passed, name, report.longreprtext)

    def pytest_sessionfinish(self):
        print(f"1..{self.count}")
        print(f"# {self.count - self.failed} passed, {self.failed} failed")


@pytest.fixture(scope="session", autouse=True)
def program():
    """Build pmonctl-test. Its version is fixed, because screens show it."""
    os.environ["OPENPMON_VERSION"] = "0.9.0"
    subprocess.run(["make", "-s", "-C", TESTS.parent, f"O={OUT}", "V=1",
                    f"EXTRA_CFLAGS={SANITIZE} -fno-sanitize-recover=all",
                    f"LDFLAGS={SANITIZE} -static-libasan -static-libubsan -no-pie", "all", "test"],
                   check=True, stdout=subprocess.DEVNULL)
    # pmonctl has an exit status 1 of its own: "degraded".
    for sanitizer in "ASAN", "LSAN", "UBSAN":
        os.environ[sanitizer + "_OPTIONS"] = "exitcode=99"
    return OUT / "pmonctl-test"


@pytest.fixture(scope="session")
def memory():
    """Make a directory in memory, if programs can run there. This saves half of the time."""
    noexec = "noexec" in subprocess.run(
        ["findmnt", "-no", "OPTIONS", "-T", "/dev/shm"], capture_output=True, text=True).stdout
    with tempfile.TemporaryDirectory(dir=None if noexec else "/dev/shm") as path:
        yield pathlib.Path(path)


@pytest.fixture
def host(memory, program):
    """Make an empty host."""
    from host import Host
    root = pathlib.Path(tempfile.mkdtemp(dir=memory))
    yield Host(root / "host", program)
    shutil.rmtree(root)


@pytest.fixture
def moving(host):
    """Make two sockets with traffic: 8 counts of 0.25 MiB a ms are 2097 MB/s."""
    return host.moving()
