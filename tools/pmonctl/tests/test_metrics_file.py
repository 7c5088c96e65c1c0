# SPDX-License-Identifier: GPL-2.0-only
"""pmonctl metrics --file, which writes a file anew each interval until a signal ends it."""
import itertools
import textwrap

import pytest

from test_metrics import CYCLES, MEMORY, MIB, UNKNOWN, limited, samples

IIO = 'openpmon_iio_received_bytes_total{package="0"}'
ENERGY = 'openpmon_package_energy_joules_total{package="0"}'
ZONE = "sys/class/powercap/intel-rapl:0"

class Written:
    """Files that pmonctl writes in the directory `written`, with copies of each second."""

    def __init__(self, host):
        self.host = host.folder("written").folder("kept")

    def run(self, seconds, options="-i 4", script="", **how):
        """Run pmonctl for so long; copy pmon.prom, list files and count events in each pause."""
        __tracebackhide__ = True
        self.host.passing("""
            files=$root/written kept=$root/kept
            [ ! -e "$files/pmon.prom" ] || cp "$files/pmon.prom" "$kept/$from"
            [ ! -e "$files" ] || find "$files" -type f -printf "$from %i %m %f\\n" >>"$kept/names"
            ls -l "/proc/$PPID/fd" | grep -c "$root/counts$" >>"$kept/open"
            """ + textwrap.dedent(script), 1000 * seconds if seconds else None)
        run = self.host.pmonctl("metrics --file", self.host.at("written/pmon.prom"),
                                *options.split(), umask=0o077, **how)
        assert not run.out
        return self

    def at(self, second):
        """Return the samples of the file at a second."""
        return samples(self.host.read(f"kept/{second}000"))

    def gained(self, series, begin, end):
        """Return by how many MiB a series grew between two seconds."""
        return (self.at(end)[series] - self.at(begin)[series]) / MIB

    def open(self):
        """Return the numbers of open events in turn, and for how many pauses."""
        lines = self.host.read("kept/open").split()
        return [(int(number), len(list(same))) for number, same in itertools.groupby(lines)]

@pytest.fixture
def moves(moving):
    """Let one event of a box count at a time.

    PCIe devices write 250 MiB/s, and 1000 MiB/s from 6 s on.
    """
    for number in 20, 30, 50, 70:
        moving.put(f"counters/{number}", 1)
    return Written(moving.recount(60, 20, 0, "1 3 6000")).run(17)

def test_a_file_has_more_than_the_last_by_what_was_moved_since(moves):
    assert [moves.gained(IIO, 4, 8), moves.gained(IIO, 8, 12)] == [2500, 4000]
    assert [moves.gained(MEMORY, 8, 12), moves.gained(MEMORY, 12, 16)] == [56000, 56000]

def test_each_file_says_over_how_long_it_counted(moves):
    for second in 4, 16:
        assert f"openpmon_measured_seconds_total {second}.000\n" in \
            moves.host.read(f"kept/{second}000")

def test_each_file_comes_whole_in_the_place_of_the_last(moves):
    seen = [line.split() for line in moves.host.read("kept/names").splitlines()]
    times = [int(when) for when, *_ in seen]
    assert min(times) >= 4000 and len(set(times)) == len(times)
    assert {(mode, name) for _, _, mode, name in seen} == {("644", "pmon.prom")}
    assert len(list(itertools.groupby(inode for _, inode, _, _ in seen))) == 4
    for second in 4, 8, 12, 16:
        assert moves.host.read(f"kept/{second}000").splitlines()[-1].startswith("openpmon_")

def test_the_file_goes_at_the_end(moves):
    assert not moves.host.at("written/pmon.prom").exists()

def test_no_more_events_are_opened_than_at_first(moves):
    assert moves.open() == [(24, 34)]

# From 4 to 8 s, the time of the second file, two turns of half a second fail. pmonctl enables the
# clock's event again after 1, 2, 4 and 8 failed reads, so the clock misses 4.25 to 8 s.
def test_a_file_lacks_what_was_missed_before_it(moving):
    moving.box("uncore_cha_0", 40, 0, "clockticks=1@2000000 0 0 0 4250 6250")
    moving.recount(20, 5, 0, "8 0 0 0 4250 6250")
    last = Written(moving).run(17).at(16)
    assert last[UNKNOWN] == 0 and last[CYCLES] == 24500000000
    assert last[MEMORY] == (16 * 12000 + 12 * 2000) * MIB

@pytest.mark.parametrize("interval", ["-i 1", "-i 2", ""])
def test_the_file_stays_after_the_time_that_was_asked_for(moving, interval):
    files = Written(moving).run(0, f"{interval} --for 3")
    assert "openpmon_measured_seconds_total 3.000\n" in files.host.read("written/pmon.prom")

def test_the_file_goes_if_a_signal_ends_the_time_that_was_asked_for(moving):
    files = Written(moving).run(6, "-i 1 --for 30")
    assert files.at(4) and not moving.at("written/pmon.prom").exists()

# The default interval of 15 s has 15 turns, which two or four events of a box share unevenly.
def test_files_grow_evenly_within_1_percent(moving):
    files = Written(moving).run(75, "")
    for name in MEMORY, IIO, 'openpmon_upi_sent_bytes_total{package="0"}':
        grown = [files.gained(name, begin, begin + 15) for begin in (15, 30, 45)]
        assert 0 < min(grown) and max(grown) <= 1.01 * min(grown)

def test_a_cxl_device_uses_three_counters_at_a_time(host):
    Written(host.latency().put("counters/70", 3)).run(17)

# If the event of a domain cannot be opened at first, pmonctl tries again until modules have values.
def test_the_event_of_a_domain_is_opened_again_before_the_last_is_closed(moving):
    moving.domain(0, 1, "0-1").core(0, 1, 2, "0-1", "POWER").core(0, 1, 3, "0-1", "POWER")
    moving.box("plr", 80, 0).append("counts", "80 40 0 EBUSY").put("gapless/80", 1)
    files = Written(moving).run(17, script="""
        counts=$(sed "s/ EBUSY$/ 0/" "$root/counts")
        [ "$from" != 4000 ] || echo "$counts" >"$root/counts" """)
    assert files.open() == [(24, 16), (25, 18)]

def test_a_module_that_comes_later_is_in_the_file(moving):
    moving.domain(0, 1, "0-1").core(0, 1, 2, 0, "none").domain(1, 1, 8).core(1, 1, 3, 8, "none")
    moving.box("plr", 80, "0,8").append("counts", "80 40 0 0", "80 40 8 0").put("gapless/80", 1)
    last = Written(moving).run(17, script="""
        cd "$class"
        [ "$to" -lt 5000 ] || mkdir -p pkg0-dom1/plr/core7
        for part in pkg?-dom1/plr/die pkg?-dom1/plr/core?; do
            echo "observed $to 2 1 0" >$part/time_in_reason
        done
        power=$((to < 13000 ? 0 : to < 15000 ? to - 13000 : 2000))
        [ "$to" -lt 5000 ] || echo "POWER $power 2 - 1" >>pkg0-dom1/plr/core7/time_in_reason
        """).at(16)
    assert last['openpmon_watched_modules{package="0",domain="1"}'] == 2
    assert last['openpmon_watched_modules{package="1",domain="1"}'] == 1
    assert last[limited("limited_seconds", "modules", "POWER")] == 2

# ---- energy, in the files at 4, 8, 12 and 16 s

GROWS = f'echo $(((550 + to / 10) % 1000))000000 >"$root/{ZONE}/energy_uj"'
# A package without online CPUs has no zone, here from 9 to 13 s.
AWAY = f"""
    zone=$root/{ZONE}
    [ "$from" != 9000 ] || mv "$zone" "$kept/zone"
    [ "$from" != 13000 ] || mv "$kept/zone" "$zone"
    [ ! -e "$zone" ] || {GROWS.replace("$root/" + ZONE, "$zone")}"""

def energies(host, script, wraps_at):
    """Return the joules in the files."""
    host.zone(":0", "package-0", energy_uj=2500000, max_energy_range_uj=wraps_at)
    files = Written(host).run(17, script=script)
    return [files.at(second).get(ENERGY) for second in (4, 8, 12, 16)]

@pytest.mark.parametrize("script, wraps_at, joules", [
    # The count wraps at 1000 J. It is 950 J in the first file, and gains 400 J every 4 s.
    (GROWS, 1000000000, [950, 1350, 1750, 2150]),
    # An interval is longer than the count lasts.
    (GROWS.replace("to / 10", "to * 2875 / 10000"), 1000000000, [700, 1850, 3000, 4150]),
    # When the zone is back, its count goes on.
    (AWAY, 1000000000, [950, 1350, None, 2150]),
    # At 9 s a reset lowers the count. A wrap instead would mean 262 kJ in half a second.
    (GROWS.replace("(550 + to / 10) % 1000", "550 + to / 10 - (to < 9000 ? 0 : 1000)"),
     262143328850, [950, 1350, 1700, 2100])],
    ids=["its count wraps", "its count lasts less than an interval", "its zone was away",
         "its count was reset"])
def test_energy_goes_on_where(moving, script, wraps_at, joules):
    assert energies(moving, script, wraps_at) == joules

def test_energy_begins_anew_where_its_zone_was_away_for_longer_than_its_count_lasts(moving):
    script = AWAY.replace("to / 10", "to * 2875 / 10000")
    before, last, none, new = energies(moving, script, 1000000000)
    assert [before, last, none] == [700, 1850, None]
    assert new < last

# ---- the directory: pmonctl writes into the one that it found at its start

def test_the_file_stays_in_its_directory_wherever_that_goes(moving):
    Written(moving).run(10, script="""
        [ "$from" != 4000 ] || { mv "$files" "$kept/moved" && mkdir "$files"; }
        [ ! -e "$kept/moved/pmon.prom" ] || cp "$kept/moved/pmon.prom" "$kept/there" """)
    assert not list(moving.at("written").iterdir()) and not list(moving.at("kept/moved").iterdir())
    assert "openpmon_measured_seconds_total 8.000\n" in moving.read("kept/there")

# The service does not try again after status 64.
def test_a_directory_that_is_missing_is_wrong_usage_and_is_not_made(moving):
    moving.pmonctl("metrics --file", moving.at("none/pmon.prom"), "-i", 4, status=64,
                   err="pmon.prom: No such file or directory")
    assert not moving.at("none").exists()
