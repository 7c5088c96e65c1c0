# SPDX-License-Identifier: GPL-2.0-only
"""Help, bash completion and manual pages have the options that pmonctl accepts."""
import pathlib
import re
import shutil
import subprocess

import pytest

COMMANDS = "adopt bw doctor dump explain list metrics plr release stat".split()
AREAS = "cxl plr qpi r2pcie uncore".split()
SOURCES = pathlib.Path(__file__).parents[1]
COMPLETES = """
    . "$1"
    shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _pmonctl
    printf "%s\\n" "${COMPREPLY[@]}" """

@pytest.fixture(scope="module")
def pages(program, memory):
    """Make the manual pages."""
    path = memory / "man"
    path.mkdir()
    subprocess.run([SOURCES / "manual", program, path], check=True)
    return path

def completions(host, *words):
    """Return bash's completions of the last word."""
    host.link(host.program, "path/pmonctl")
    env = {"PATH": f"{host.at('path')}:/usr/bin:/bin"}
    run = subprocess.run(["bash", "-c", COMPLETES, "-", SOURCES / "completion.bash", "pmonctl", *words],
                         env=host.environment(env), capture_output=True, text=True, timeout=30)
    assert not run.stderr
    return sorted(run.stdout.split())

@pytest.fixture
def options(host):
    """Return the options of each command in its help, and whether they take a value."""
    return {command: {option: bool(value) for option, value in re.findall(
        r"^  (?:-., )*(--[a-z-]*)( [A-Z])?", host.pmonctl(f"help {command}").out, re.M)} for command in COMMANDS}

@pytest.mark.parametrize("words, completed", [
    ([""], COMMANDS),
    (["d"], ["doctor", "dump"]),
    (["--json", "plr", "--c"], ["--clear", "--count", "--cpu", "--csv"]),
    (["adopt", ""], AREAS),
    (["--"], ["--help", "--json", "--version"]),
    (["bw", "--kind", "memory,c"], ["memory,cxl", "memory,cxlhost", "memory,cxlport"]),
    (["explain", "THERMAL"], ["THERMAL", "THERMAL_PER_CORE"]),
    (["explain", "qo"], ["QOS"]),
    (["stat", "sha256su"], ["sha256sum"]),
    (["plr", "--clear", "QO"], ["QOS"]),
    (["stat", "--", "sha256su"], ["sha256sum"]),
    # A job's words are none of ours.
    (["stat", "--", "ls", "l"], [])])
def test_bash_completes(host, words, completed):
    assert completions(host, *words) == completed

@pytest.mark.parametrize("command, name", [
    ("adopt", "hand boxes of the kernel's drivers to openpmon"), ("stat", "bandwidth and limits while a job runs"),
    ("explain", "meanings of all reasons, of one, or of those in a raw register, 64 bits in hexadecimal")])
def test_name_of_a_manual_page_says_what_the_command_does(pages, command, name):
    assert f"\n.Nd {name}\n" in (pages / f"pmonctl-{command}.8").read_text()

def test_each_manual_page_has_the_exit_status(pages):
    having = [page for page in pages.glob("*.8") if "\n.Sh EXIT STATUS" in page.read_text()]
    assert len(having) == len(COMMANDS) + 1

@pytest.mark.parametrize("area", AREAS)
def test_the_manual_and_help_have_each_area(host, pages, area):
    assert re.search(rf"^\.Pq Cm (.* )?{area}( |$)", (pages / "pmonctl-adopt.8").read_text(), re.M)
    assert re.search(rf"AREA is\n.*\b{area}\b", host.pmonctl("--help").out)

def test_help_has_the_commands(host):
    assert sorted(re.findall("^  ([a-z]+) ", host.pmonctl("--help").out, re.M)) == COMMANDS

def test_the_manual_has_the_options_of_help(host):
    section = re.search(r"^\.Sh OPTIONS$(.*?)^\.Sh FILES$", (SOURCES / "pmonctl.8").read_text(),
                        re.M | re.S)[1]
    shown = {"--" + name for name in re.findall(r"^\.It Fl .*\\-([a-z-]+)", section, re.M)}
    assert shown == set(re.findall("--[a-z]+", host.pmonctl("--help").out))

@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_fits_on_a_screen_and_has_an_example(host, command):
    run = host.pmonctl(f"help {command}")
    run.shows(f"Usage: pmonctl {command} *", f"For example: pmonctl {command}*")
    assert host.pmonctl(f"{command} --help").out == run.out
    assert max(len(line) for line in run.out.splitlines()) < 80
    assert len(run.out.splitlines()) < 24

@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_takes_the_options_of_its_help_and_no_others(host, options, command):
    every = {option: value for each in options.values() for option, value in each.items()}

    def takes(option):
        word = option + "=1" * every[option]
        run = subprocess.run([host.program, command, word], env=host.environment(None),
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30)
        return "has no option" not in run.stdout + run.stderr
    assert {option for option in every if takes(option)} == set(options[command])

@pytest.mark.parametrize("command", COMMANDS)
def test_bash_completes_the_options_of_a_command(host, options, command):
    assert completions(host, command, "--") == sorted(options[command])

@pytest.mark.parametrize("command", COMMANDS)
def test_the_manual_page_of_a_command_has_its_options_what_it_does_and_an_example(options, pages, command):
    page = (pages / f"pmonctl-{command}.8").read_text()
    assert set(re.findall(r"^\.It [^ ]*,* *(--[a-z-]*)", page.replace("\\-", "-"), re.M)) == \
        set(options[command])
    assert len(re.search(r"^\.Sh DESC.*?^\.Pp$", page, re.M | re.S)[0].splitlines()) > 3
    assert f"\n.Dl # pmonctl {command}" in page

def test_the_manual_pages_are_clean(pages):
    if not shutil.which("mandoc"):
        pytest.skip("needs mandoc")
    run = subprocess.run(["mandoc", "-Tlint", "-Wwarning", *pages.glob("*.8")],
                         capture_output=True, text=True)
    assert not [line for line in run.stdout.splitlines() if "mandoc.db" not in line]
