# SPDX-License-Identifier: GPL-2.0-only
"""The files that `adopt` and `release` write and remove. Both must follow no links."""
import os
import re
import shutil
import subprocess

import pytest

from adoption import ADOPTION, UNCORE

WHY = UNCORE + ": is a link, or not an ordinary file"

@pytest.fixture
def settled(host):
    """Make a host on which `adopt` loads and unloads nothing."""
    host.folder("run").folder("etc/modprobe.d").discovery_function().spr()
    host.live("pmon_uncore", "pmon_plr").paranoid(0)
    return host.put_bytes("victim", ADOPTION.encode())

def alone(host):
    """Is adopt's file the only one in /etc/modprobe.d?"""
    return os.listdir(host.at("etc/modprobe.d")) == ["openpmon-uncore.conf"]

def written(host):
    """Is adopt's file complete, ordinary, and readable for modprobe?"""
    conf = host.at(UNCORE)
    return not conf.is_symlink() and conf.read_text() == ADOPTION and \
        conf.stat().st_mode & 0o777 == 0o644 and alone(host)

@pytest.mark.parametrize("command", ["adopt --persist uncore", "release uncore", "doctor"])
def test_a_link_in_the_place_of_the_file_is_left_alone(settled, command):
    settled.link("../../victim", UNCORE)
    if command == "doctor":
        settled.pmonctl(command).has("note *openpmon-uncore.conf is a link*")
    else:
        settled.pmonctl(command, status=2, err=WHY)
    assert os.readlink(settled.at(UNCORE)) == "../../victim"
    assert settled.read("victim") == ADOPTION and alone(settled)

@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo], ids=["directory", "pipe"])
def test_something_else_in_the_place_of_the_file_is_left_alone(settled, make):
    make(settled.at(UNCORE))
    settled.pmonctl("adopt --persist uncore", status=2, err=WHY)
    assert alone(settled)

def test_a_link_by_a_name_that_can_be_foreseen_is_not_followed(settled):
    settled.link("../../victim", "etc/modprobe.d/.openpmon-uncore.conf.new")
    settled.pmonctl("adopt --persist uncore")
    assert written(settled)

def test_a_file_with_something_behind_its_end_is_not_removed(settled):
    settled.put_bytes(UNCORE, ADOPTION.encode() + b"\0mine\n")
    settled.pmonctl("release uncore", status=2, err=WHY)
    assert settled.at(UNCORE).exists()

def test_a_directory_outside_the_tree_is_not_written(settled):
    outside = settled.root.parent / "outside"
    outside.mkdir()
    settled.remove("etc/modprobe.d").link(outside, "etc/modprobe.d")
    settled.pmonctl("adopt --persist uncore", status=2, err="cannot be written")
    assert not os.listdir(outside)

def test_others_can_read_the_file_whatever_the_umask(settled):
    settled.pmonctl("adopt --persist uncore", umask=0o077)
    assert written(settled)
    settled.pmonctl("adopt uncore", umask=0o077)
    assert settled.at("run/modprobe.d").stat().st_mode & 0o777 == 0o755

# The limit does not apply to standard output, which is a pipe.
@pytest.mark.parametrize("options", ["--persist", ""])
def test_a_file_that_cannot_be_written_is_not_there_nor_its_directory(settled, options):
    settled.pmonctl(f"adopt {options} uncore", status=2, under=["prlimit", "--fsize=0"],
                    err="cannot be written: File too large")
    assert not os.listdir(settled.at("run")) and not os.listdir(settled.at("etc/modprobe.d"))

@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
def test_no_message_is_in_the_file_with_a_closed_descriptor(settled, closed):
    subprocess.run(["sh", "-c", f'"$0" adopt --persist uncore {closed}', settled.program],
                   env=settled.environment(None), capture_output=True, timeout=30)
    assert written(settled)

# The file is complete and synchronised before its rename; then the directory is synchronised.
def test_the_file_is_written_synchronised_renamed_and_synchronised_again(settled):
    if not shutil.which("strace") or os.getuid():
        pytest.skip("needs strace and root")
    settled.pmonctl(
        "adopt --persist uncore", env={"LSAN_OPTIONS": "detect_leaks=0", "ASAN_OPTIONS": "detect_leaks=0"},
        under=["strace", "-f", "-o", settled.at("trace"), "-e", "trace=openat,write,fchmod,fsync,renameat"])
    trace = settled.read("trace")
    order = " ".join(re.findall(r"^\d+ +([a-z]+)\(", trace, re.M))
    assert "openat write fchmod fsync renameat fsync" in order
    assert re.search("O_CREAT.*O_EXCL.*O_NOFOLLOW", trace)
