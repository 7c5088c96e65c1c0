# SPDX-License-Identifier: GPL-2.0-only
"""pmonctl plr --watch: a line for each change of a limit in force."""
import re

import pytest

from test_plr import NOW, observed, two, watched     # the last two are fixtures

ALL_PARTS = """
    now=$((1036800000 + to))
    echo $((now / 1000)).00 >"$root/proc/uptime"
    for part in die core0 core1 core2; do
        echo "observed $to $now 1000 0" >"$class/pkg0-dom0/plr/$part/time_in_reason"
    done
"""

def changes(host):
    """Run --watch; return its lines without times."""
    return [re.sub("^2[^ ]* ", "", line) for line in host.pmonctl("plr --watch").lines]

@pytest.fixture
def watching(watched):
    """Limit core0 from the third second to the fifth."""
    return watched.passing(ALL_PARTS + """
        [ "$to" -lt 3000 ] || [ "$to" -ge 5000 ] ||
            echo "POWER $((to - 2000)) $now -" >>"$class/pkg0-dom0/plr/core0/time_in_reason"
        """, 7000)

def test_watch_has_a_line_for_each_change_and_ends_well(watching):
    assert changes(watching) == ["watching 4 parts", "0/0/core0: POWER", "0/0/core0: none"]

def test_watch_goes_on_beside_a_part_without_a_record(watching):
    watching.edit("sbin/pause", "core1 core2;", "core1;").remove("pkg0-dom0/plr/core2/time_in_reason")
    assert "0/0/core0: POWER" in changes(watching)

def test_watch_has_a_document_for_each_interval_in_json(watching):
    now = [[one["reason"] for row in m["rows"] for one in row["now"]]
           for m in watching.pmonctl("plr --watch --json").json_lines()]
    assert now.count(["POWER"]) == 3 and now[-1] == [] and len(now) == 6

def test_watch_ends_when_its_output_is_lost(watching):
    watching.pmonctl("plr --watch", status=2, stdout=open("/dev/full", "w"),
                     err="cannot write the output: No space left on device")

# The device is removed: all records end.
def test_watch_says_once_that_a_part_is_not_known_any_more(watched):
    watched.passing("""
        now=$((1036800000 + to))
        for part in die core0 core1 core2; do
            since=1000
            [ "$to" -lt 3500 ] || { since=- now=1036803000; }
            echo "observed $to $now $since 0" >"$class/pkg0-dom0/plr/$part/time_in_reason"
        done
        power=$since
        [ "$to" -lt 2000 ] ||
            echo "POWER $to $now $power 1" >>"$class/pkg0-dom0/plr/core0/time_in_reason"
        """, 9000)
    assert changes(watched) == ["watching 4 parts", "0/0/core0: POWER", "0/0/core0-2: not known"]

# core0 is limited from 3 s to this time. At 5 s there is one more module.
@pytest.mark.parametrize("end", [5000, 7000])
def test_watch_goes_on_where_the_number_of_parts_changes(watched, end):
    watched.passing(f"""
        now=$(({NOW} + to)) last=$(({NOW} + (to < {end} ? to : {end})))
        echo $((now / 1000)).00 >"$root/proc/uptime"
        cd "$class/pkg0-dom0/plr"
        [ $to -lt 5000 ] || mkdir -p core3
        for part in die core?; do
            echo "observed $to $now 1000 0" >$part/time_in_reason
        done
        [ $to -lt 3000 ] || [ $to -gt {end} ] || since=$now
        [ $to -lt 3000 ] || echo "POWER $to $last ${{since--}}" >>core0/time_in_reason
        """, 9000)
    assert changes(watched) == ["watching 4 parts", "0/0/core0: POWER", "0/0/core0: none"]

# core1 is limited once, in a poll that begins at 2.1 s. The record changes only when the poll ends,
# at 3.2 s, but then has the time 2.1 s.
def test_watch_shows_a_limit_whatever_time_its_poll_began(watched):
    watched.passing(ALL_PARTS + f"""
        [ "$to" -lt 3200 ] ||
            echo "THERMAL 100 $(({NOW} + 2100)) - 1" >>"$class/pkg0-dom0/plr/core1/time_in_reason"
        """, 6000)
    assert changes(watched) == ["watching 4 parts", "0/0/core1: THERMAL", "0/0/core1: none"]

def test_q_ends_watch(watched):
    watched.put("keys", 1).passing(end=4000)
    watched.on_terminal("plr --watch", rows=8, cols=60, keys="q").lacks("*limited now*")

def test_watch_draws_a_strip_for_a_limited_module(watched):
    observed(watched, "core0", "POWER 100 1036800000 1036799900").passing(end=4000)
    run = watched.on_terminal("plr --watch", rows=8, cols=60, env={"NO_COLOR": ""})
    run.lacks("0/0/core1*")
    assert any(re.fullmatch(r"0/0/core0 0 #+ POWER", line) for line in run.lines)
    assert "  \033[33mPOWER\033[m\033[K" in run.raw
