# SPDX-License-Identifier: GPL-2.0-only
"""pmonctl stat: bandwidth and limits while a job runs. Its report is on standard error."""

import json

import pytest

from result import ABSENT, facts, same

MIB = 1 << 20

# Words behind stat, how pmonctl is run, the job's status and output
@facts({
    "the output and status of a job are its own": (["--", "sh", "-c", "echo of the job; exit 7"], {}, 7, "of the job"),
    "options behind a job are its own without dashes, too": (
        ["sh", "-c", "echo of the job", "--json"], {}, 0, "of the job"),
    "a job is allowed as many files as ever": (
        ["--", "sh", "-c", "ulimit -n"], {"under": ["prlimit", "--nofile=512:"]}, 0, "512"),
    "a job has its environment": (
        ["--", "sh", "-c", 'echo "$POSIXLY_CORRECT"'], {"env": {"POSIXLY_CORRECT": "yes"}}, 0, "yes")})
def test_job_fact(moving, fact):
    words, how, status, output = fact
    run = moving.pmonctl("stat", *words, **how, status=status, err=["READ GB", "sh: * of CPU time"])
    assert run.out == output + "\n"

@pytest.mark.parametrize("job, status", [("/nope/program", 127), ("/etc/passwd", 126)])
def test_a_job_that_cannot_be_run_has_the_shells_status(moving, job, status):
    moving.pmonctl("stat --", job, status=status, err=": cannot be run:").shows("!*")

def test_without_events_of_tasks_nothing_is_said_of_the_job_itself(moving):
    moving.pmonctl("stat", *moving.job(200), err=["of CPU time", "!this job", "!SHARE"])

def test_a_host_without_limits_has_none_in_its_report(moving):
    report(moving, *moving.job(200)).shows({"limits": ABSENT, "limits_of_job": ABSENT})

def test_a_signal_is_handed_on_to_the_job(moving):
    moving.passing(end=300).pmonctl("stat -- sleep 9", status=143, err="sleep: ")

def test_the_report_is_opened_before_the_job_so_a_wrong_path_loses_nothing(moving):
    moving.pmonctl("stat -o", moving.at("none/report"), "--", "touch", moving.at("job-ran"),
                   status=2, err="--output */none/report: No such file")
    assert not moving.at("job-ran").exists()

def test_the_report_is_on_standard_error_if_its_disk_is_full_which_is_an_error(moving):
    moving.pmonctl("stat -o /dev/full -- true", status=2, err=[
        "READ GB", "cannot write the output: No space left on device"])

def test_the_report_may_be_json_in_a_file(moving):
    run = moving.pmonctl("stat --json -o", moving.at("report"), "--", "sh", "-c",
                         "echo of the job; sleep 0.2")
    assert run.out == "of the job\n"
    assert json.loads(moving.read("report"))["format"] == 3

def report(host, *job, status=0, err=()):
    """Run a job without output, and return its report in JSON."""
    return host.pmonctl("stat --json", *job, status=status, err=err)

def test_the_report_has_the_status_of_the_job(moving):
    report(moving, *moving.job(200, "exit 7"), status=7).shows({"status": 7, "sockets/0/kind": "memory"})

# As a double, 14000 MiB/s * 2.3 s is just below a whole number of bytes.
def test_totals_are_to_the_byte(moving):
    report(moving, *moving.job(2300)).shows({"ms": 2300, "sockets/0/read_bytes": 14000 * MIB * 23 // 10})

def test_totals_are_of_all_the_time_not_of_whole_milliseconds(moving):
    job = moving.job(2300)
    moving.edit("sbin/pause", "^rm job", r'echo 600000 >"$root/ns"; rm job')
    report(moving, *job).shows({"ms": 2301, "sockets/0/read_bytes": round(14000 * MIB * 2.3006)})

def test_the_report_has_the_cpu_time_of_the_job_in_milliseconds(moving):
    moving.put("busy", "had=0", 'while [ "$had" -lt 5 ]; do', "read -r stat </proc/$$/stat",
               'set -- "$1" ${stat##*)}', "had=$((${13} + ${14}))", "done", 'echo $had >"$1"')
    m = report(moving, "--", "sh", moving.at("busy"), moving.at("ticks")).json()
    least = 10 * int(moving.read("ticks"))
    assert least <= m["cpu_ms"] < 10 * least

def test_the_report_has_the_average_time_of_requests_to_a_cxl_device(host):
    host.latency()
    host.pmonctl("stat", *host.job(200), err="cxl_pmu_mem0.0 170 -")

# ---- limits of the job itself, by events of tasks: nanoseconds for each millisecond

PLR_TASK, OF_THE_JOB = 40, 0xffffffff

def of_job(host, **ns):
    """Let a job have so many ns of a reason, observed and on CPUs (clock) in each ms."""
    host.put("sys/bus/event_source/devices/plr_task/type", PLR_TASK)
    events = {"clock": (1, 1), "observed": (PLR_TASK, 0x40)}
    for bit in range(10):
        events[f"bit{bit}"] = (PLR_TASK, bit)
    for name, (kind, config) in events.items():
        host.append("counts", f"{kind} {config:x} {OF_THE_JOB} {2 * ns.get(name, 0)}")
    return host

# Nanoseconds in each millisecond of a job of 2 s, and what its report says
@facts({
    "stat says how much of a job ran limited": (
        dict(clock=1_000_000, observed=990_000, bit2=120_000, bit3=200),
        "2.0 s on CPUs: <0.1 % of it limited by THERMAL (0.0 s), 12 % by POWER (0.2 s); 99 % observed"),
    "stat says that nothing limited a job": (
        dict(clock=500_000, observed=500_000), "1.0 s on CPUs: none of it limited; 100 % observed"),
    "a job that was observed for half of its time has a share": (
        dict(clock=1_000_000, observed=500_000, bit2=100_000),
        "2.0 s on CPUs: 20 % of it limited by POWER (0.2 s); 50 % observed"),
    "a job that was observed for less than half of its time has a dash": (
        dict(clock=1_000_000, observed=499_000, bit2=100_000),
        "2.0 s on CPUs: limited for -, as limits were known for less than half of it")})
def test_limited_fact(moving, fact):
    ns, says = fact
    of_job(moving, **ns).pmonctl("stat", *moving.job(2_000), err=f"this job ran {says}")

@pytest.mark.parametrize("observed, known", [(499_000, {}), (500_000, {"ms": 200})])
def test_a_share_is_unknown_where_less_than_half_of_the_job_was_observed(moving, observed, known):
    of_job(moving, clock=1_000_000, observed=observed, bit2=100_000)
    report(moving, *moving.job(2_000)).shows({"limits_of_job": {
        "cpu_ms": 2000, "observed_ms": observed * 2 // 1000, "reasons": [{"reason": "POWER", **known}]}})

def test_a_reason_that_a_user_may_not_count_is_left_out(moving):
    of_job(moving, clock=1_000_000, observed=1_000_000, bit2=100_000)
    moving.edit("counts", f"^{PLR_TASK} 2 {OF_THE_JOB} .*", f"{PLR_TASK} 2 {OF_THE_JOB} EACCES")
    report(moving, *moving.job(2_000)).shows({"limits_of_job/reasons": []})

# If limits cannot be watched, the job runs and gets signals, as on a host without limits.
def test_a_job_runs_where_limits_cannot_be_watched(moving):
    moving.domain(0, 0, "0-3").core(0, 0, 0, "0-1", "none")
    run = moving.pmonctl("stat", *moving.job(1200, "echo of the job; kill -INT $$"), status=130,
                         err=["no program monitors this domain", "memory 0 * 14680 0"])
    assert run.out == "of the job\n"

@pytest.fixture
def limited(moving):
    """Begin traffic and limits at 300 ms; the job ends 2 s later. POWER limits core0 twice for 1.5 s, or as
    in the file `power`; a file `turbo` adds FREQUENCY.
    """
    moving.domain(0, 0, "0-3").core(0, 0, 0, "0-1", "none")
    moving.edit("counts", r" (\d+)$", r" 0 \1 300").put("proc/uptime", "1000.00")
    for part in "die", "core0":
        moving.put(f"pkg0-dom0/plr/{part}/time_in_reason", "observed 100 900000 - 1", "POWER 4000 900000 - 3")
    return moving.observing("""
        power='4000 1000001 - 3' turbo='4000 1000001 990000 1'
        [ "$to" = 300 ] || {
            power='5500 1000001 - 5' turbo=$(cat "$root/turbo" 2>/dev/null)
            [ ! -e "$root/power" ] || read -r power <"$root/power"
        }
        for part in die core0; do
            printf '%s\\n' "POWER $power" ${turbo:+"FREQUENCY $turbo"} >>$part/time_in_reason
        done""", first=OBSERVED)

OBSERVED = """
    [ "$to" -ge 300 ] || exit 0
    at=$((to > 300)) since=900000 now=1000001
    observed=$((400 + 2000 * at))"""

def by_modules(host):
    """Limit modules differently in a job of 2 s.

    POWER limits one module for 0.9 s of 1.8 s observed, another for 0.2 s of 2 s, a third never.
    FREQUENCY is observed for 0.1 s in the first only, THERMAL in none.
    """
    for module in 1, 2:
        host.core(0, 0, module, 2 * module, "none")
        host.put(f"pkg0-dom0/plr/core{module}/time_in_reason", "observed 100 900000 - 1", "POWER 4000 900000 - 3")
    return host.observing("""
        record() {
            printf '%s\\n' "POWER $2" "FREQUENCY $3" 'THERMAL 5 1000001 999999 1 5' >>core$1/time_in_reason
        }
        long=$((9000 + 2000 * at))
        record 0 "$((4000 + 900 * at)) $now - $((3 + at)) $((9000 + 1800 * at))" "70 $now 999000 1 $((100 + 100 * at))"
        record 1 "$((200 * at)) $now - $((2 * at)) $long" "70 $now 999000 1 100"
        record 2 "0 - - 0 $long" "0 - - 0 100"
        rm -f core3/time_in_reason""", first=OBSERVED)

def at_end(host, turbo, power=None):
    """Change the records of FREQUENCY, which an event requests here, and of POWER at the end of the job."""
    host.box("plr", 80, 0).append("counts", "80 0 0 0 0 0 250").put("turbo", turbo)
    return host.put("power", power) if power else host

def older(host):
    """Let the driver be one that does not count onsets."""
    return host.edit("sbin/pause", " [135]'", "'").edit("sbin/pause", '} 1"', '}"')

SUMS = "Of 3 core modules: SHARE is their mean, SECONDS their sum."

# A change of the host, and lines of the report
@facts({
    "the report begins with the job, and has time and onsets of each reason": (
        same, "memory 0 29.36 0.00 14680 0", "memory all 58.72 8.39 29360 4194", "POWER 1.5 75.0 2 1", "!FREQUENCY",
        "Of 1 core modules: SHARE is their mean, SECONDS their sum."),
    # SHARE is (0.9 / 1.8 + 0.2 / 2.0 + 0 / 2.0) / 3 = 0.2; SECONDS is 0.2 * 3 modules * 2 s.
    "each module and each reason has its own observed time": (
        by_modules, "POWER 1.2 20.0 3 2", "FREQUENCY - - - 2", "THERMAL - - - 3", SUMS),
    "a module that is never observed leaves the numbers of the others": (
        lambda h: by_modules(h).core(0, 0, 3, 6, "none"), "POWER 1.6 20.0 3 2", "Of 4 core modules: "),
    "an older driver does not count onsets": (older, "POWER 1.5 75.0 - 1"),
    # FREQUENCY is otherwise polled every 10 s only.
    "stat requests turbo limits": (
        lambda h: at_end(h, "5800 1000001 990000 2"), "FREQUENCY 1.8 90.0 1 1", "POWER 1.5 75.0 2 1"),
    "a time that is cut to milliseconds is the whole and not more": (
        lambda h: at_end(h, "6001 1000001 990000 2"), "FREQUENCY 2.0 100.0 1 1"),
    "a short limit is not shown as none, nor a long one as all the time": (
        lambda h: at_end(h, "5999 1000001 990000 2", "4001 1000001 - 4"), "POWER <0.1 0.1 1 1", "FREQUENCY 2.0 >99.9 1 1"),
    "no share is above the whole": (lambda h: at_end(h, "14000 1000001 - 2"), "FREQUENCY - - - 1")})
def test_share_fact(limited, fact):
    change, *patterns = fact
    change(limited).pmonctl("stat", *limited.job(2300), err=["SHARE", *patterns])

def test_json_has_the_limits_of_modules(limited):
    report(by_modules(limited), *limited.job(2300)).shows({
        "limits/core_modules": 3, "limits/reasons/*/reason": ["THERMAL", "POWER", "FREQUENCY"],
        "limits/reasons/*/modules": [3, 2, 2], "limits/reasons/1/ms": 1200, "limits/reasons/1/count": 3,
        "limits/reasons/2/ms": ABSENT})

# No event requests FREQUENCY here, so it is polled every 10 s: in this job once at most.
def test_a_host_may_record_limits_alone(limited):
    run = limited.remove("uncore_*", "cxl_pmu_*").pmonctl(
        "stat", *limited.job(2300), err=["no PMU has events", "POWER 1.5 75.0 2 1", "!MB/s"])
    assert run.err.count("\n\n") == 1

def test_limits_alone_are_one_json_document(limited):
    report(limited.remove("uncore_*", "cxl_pmu_*"), *limited.job(2300), err="no PMU has events").shows({
        "sockets": [], "limits/observed_ms": 2000})
