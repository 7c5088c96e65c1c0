# SPDX-License-Identifier: GPL-2.0-only
"""A made-up host: a directory with the files that pmonctl-test reads in place of the machine's.

Files, programs and counters of the directory are explained in host.c. A script of the
shell runs while pmonctl waits, because Python takes 20 ms to start.
"""
import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import termios
import textwrap
import time

from result import Result

VERSION = "0.9.0"
KERNEL = "6.18-tree"
CLASS = "sys/class/pmon"
UPTIME = 10000          # seconds, of hosts with records
PMUS = "sys/bus/event_source/devices"
FUNCTIONS = "sys/bus/pci/devices"
PLACES = {"pkg": CLASS, "uncore_": PMUS, "cxl_pmu_": PMUS, "plr/": PMUS, "0000:": FUNCTIONS}
MODPROBE = r"""#!/bin/sh
# Load and unload modules in the tree. A call fails if $root/fails lists it.
root=${0%/sbin/*}
say="${0##*/} $*"
echo "$say" >>"$root/calls"
! grep -qsx "$say" "$root/fails" || exit 1
case $say in
rmmod*) exec rm -r "$root/sys/module/$1" ;;
esac
name=$(basename "$1" .ko.xz)
conf=$(cat "$root"/run/modprobe.d/*.conf "$root"/etc/modprobe.d/*.conf 2>/dev/null)
case $conf in
*"options $name uncore_no_discover=1"*) exit 1 ;;
*"install $name /bin/true"*) exit 0 ;;
*"options $name mode="*) mode=${conf##*options "$name" mode=} ;;
*) mode=${2#mode=} ;;
esac
mode=${mode%%[!a-z]*}
mode=${mode:-on}
at=$root/sys/module/$name
mkdir -p "$at/parameters"
echo live >"$at/initstate"
echo 0 >"$at/refcnt"
echo "$mode" >"$at/parameters/mode"
owner=openpmon
[ ! -e "$root/sys/module/intel_uncore" ] || owner=intel_uncore
[ "$mode" = on ] || owner=none
case $name in
pmon_cxl)
	[ ! -e "$root/loses" ] ||
		rm -f "$root"/sys/bus/event_source/devices/cxl_pmu_*/events/clock_ticks ;;
pmon_uncore)
	for table in "$root"/sys/class/pmon/pkg*-uncore*; do
		echo "$owner" >"$table/owner"
		echo "$mode" >"$table/mode"
	done ;;
esac
"""
JOB = """at=${0%/*}
echo $$ >"$at/job-pid"
until [ -e "$at/job-ends" ]; do sleep 0.01; done
. "$at/job-ends"
"""


class Host:
    """A directory with the files of a host."""

    def __init__(self, root, program):
        self.root, self.program = root, program
        (root / "sys/bus").mkdir(parents=True)

    # ---- runs of pmonctl

    def environment(self, env):
        return {**{k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "POSIXLY_CORRECT", "COLUMNS")},
                "LC_ALL": "C", "PMONCTL_TREE": str(self.root), **(env or {})}

    def pmonctl(self, command="", *args, status=0, err=(), env=None, under=(), umask=-1, stdout=-1):
        """Run pmonctl with the words of a command and arguments; check its exit status.

        Each pattern of err must be in standard error, which must be empty without patterns.
        under: a command that runs pmonctl.
        """
        __tracebackhide__ = True
        run = subprocess.run([*under, self.program, *command.split(), *map(str, args)],
                             stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE,
                             env=self.environment(env), umask=umask, timeout=30)
        got = run.returncode if run.returncode >= 0 else 128 - run.returncode
        return checked(Result(got, text(run.stdout), text(run.stderr)), status, err)

    def check(self, change, command, *expected, **how):
        """Change the host, and run pmonctl, which shows what is expected: see Result.shows.

        A tuple has the exit status and parts of messages.
        """
        __tracebackhide__ = True
        (status, *err), = [each for each in expected if isinstance(each, tuple)] or [(0,)]
        return change(self).pmonctl(command, status=status, err=err, **how).shows(*expected)

    def on_terminal(self, command="", *, rows=24, cols=80, keys="", env=None, status=0, err=()):
        """Run pmonctl on a terminal of this size, on which somebody presses keys."""
        __tracebackhide__ = True
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
        with subprocess.Popen(
                [self.program, *command.split()], stdin=slave, stdout=slave, stderr=subprocess.PIPE,
                env=self.environment({"TERM": "vt100", "NO_COLOR": "1", **(env or {})}),
                start_new_session=True) as run:
            try:
                os.close(slave)
                drawn = drain(master, keys, run)
                errors = run.stderr.read()
                run.wait(30)
            finally:
                run.kill()
                os.close(master)
        raw = text(drawn).replace("\r", "")
        out = re.sub(r"\033\[[?0-9]*[HJKhlm]", "", raw)
        return checked(Result(run.returncode, out, text(errors), raw), status, err)

    # ---- files

    def at(self, name):
        """Return the path of a file; a device of the class, a PMU and a function need no folder."""
        for begin, folder in PLACES.items():
            if name.startswith(begin):
                return self.root / folder / name
        return self.root / name

    def new(self, name):
        """Return the path of a file; make its folder."""
        path = self.at(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def put_bytes(self, name, data):
        self.new(name).write_bytes(data)
        return self

    def put(self, name, *lines):
        """Make a file with these lines."""
        return self.put_bytes(name, "".join(f"{line}\n" for line in lines or [""]).encode())

    def append(self, name, *lines):
        with self.new(name).open("a") as file:
            file.writelines(f"{line}\n" for line in lines)
        return self

    def files(self, folder, listed):
        """Make a file for each line, which has its name and contents."""
        for line in listed.strip().splitlines():
            name, _, value = line.strip().partition(" ")
            self.put(folder + name, value)
        return self

    def dated(self, name, when):
        os.utime(self.at(name), (when, when))
        return self

    def read(self, name):
        return self.at(name).read_text()

    def folder(self, name):
        self.at(name).mkdir(parents=True, exist_ok=True)
        return self

    def link(self, target, name):
        path = self.new(name)
        path.unlink(missing_ok=True)
        path.symlink_to(target)
        return self

    def paths(self, pattern):
        """Return the paths that match a pattern of the shell."""
        at = self.at(pattern)
        found = [at] if not set("*?") & set(pattern) else sorted(self.root.glob(str(at.relative_to(self.root))))
        assert found, f"no file {pattern}"
        return found

    def remove(self, *patterns):
        for pattern in patterns:
            for path in self.paths(pattern):
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path)
                else:
                    path.unlink()
        return self

    def unreadable(self, *patterns):
        """Replace files by directories, which no user can read."""
        for pattern in patterns:
            for path in self.paths(pattern):
                path.unlink(missing_ok=True)
                path.mkdir()
        return self

    def edit(self, pattern, old, new):
        """Replace a regular expression in each line of files."""
        for path in self.paths(pattern):
            path.write_text(re.sub(old, new, path.read_text(), flags=re.M))
        return self

    # ---- modules and the kernel

    def paranoid(self, level):
        return self.put("proc/sys/kernel/perf_event_paranoid", level)

    def live(self, *modules):
        """Make loaded modules, ours in pmonctl's version."""
        for module in modules:
            if module.startswith("pmon"):
                self.put(f"sys/module/{module}/version", VERSION)
            self.put(f"sys/module/{module}/initstate", "live")
            self.put(f"sys/module/{module}/refcnt", 0)
        return self

    def unload(self, *modules):
        return self.remove(*(f"sys/module/{module}" for module in modules))

    def parameter(self, module, name, value):
        return self.put(f"sys/module/{module}/parameters/{name}", value)

    def used(self, module, users):
        return self.put(f"sys/module/{module}/refcnt", users)

    def nodes(self, *lists):
        """Make NUMA nodes of these CPUs."""
        for number, cpus in enumerate(lists):
            self.put(f"sys/devices/system/node/node{number}/cpulist", cpus)
        return self

    def depmod(self):
        """Run depmod, without its warnings about empty module files."""
        subprocess.run(["/sbin/depmod", "-b", self.root, KERNEL], stderr=subprocess.DEVNULL)
        return self

    def installed(self, *modules):
        """Make the installed modules of the kernel 6.18-tree, and no others."""
        self.put("proc/sys/kernel/osrelease", KERNEL)
        shutil.rmtree(self.root / "lib/modules" / KERNEL, ignore_errors=True)
        self.folder(f"lib/modules/{KERNEL}/updates")
        for module in modules:
            self.put_bytes(f"lib/modules/{KERNEL}/updates/{module}.ko.xz", b"")
        return self.depmod()

    def limits(self):
        """Make the auxiliary device for performance limits."""
        return self.folder("sys/bus/auxiliary/devices/intel_vsec.tpmi-plr.0")

    def cpu_model(self, family, model):
        return self.put("proc/cpuinfo", "processor\t: 0", f"cpu family\t: {family}", f"model\t\t: {model}")

    # ---- PCI functions and CXL devices

    def pci(self, address, vendor, device, driver=""):
        self.put(f"{address}/vendor", vendor).put(f"{address}/device", device)
        return self.link(f"../../../drivers/{driver}", f"{address}/driver") if driver else self

    def discovery_function(self):
        """Make the PCI function whose capabilities lead to discovery tables."""
        return self.pci("0000:00:03.1", "0x8086", "0x09a7")

    def config_space(self, size, capability=""):
        """Make the discovery function's configuration space, with an extended capability in hex."""
        config = bytearray(size)
        config[4] = 2       # decodes memory
        config[256:] = bytes.fromhex(capability).ljust(size - 256, b"\0")
        return self.discovery_function().put_bytes("0000:00:03.1/config", config)

    def expander(self, driver=""):
        """Make the function of a CXL memory device."""
        self.pci("0000:c1:00.0", "0x8086", "0x0d93", driver)
        return self.put("0000:c1:00.0/class", "0x050210")

    def locates(self, block):
        """Make the expander's register locator, with component registers and another block."""
        config = bytearray(4096)
        locator = bytes.fromhex("23000100 981ec001 08000000 00010000 00000000 02") + bytes([block])
        config[256:256 + len(locator)] = locator
        return self.put_bytes("0000:c1:00.0/config", config)

    def memory(self, name, address, serial):
        """Make a CXL memory device."""
        self.put(f"sys/devices/pci0000:c0/{address}/{name}/serial", serial)
        return self.link(f"../../../devices/pci0000:c0/{address}/{name}", f"sys/bus/cxl/devices/{name}")

    def decoder(self, port, number):
        at = f"devices/root0/endpoint{port}/decoder{port}.{number}"
        return self.folder("sys/" + at).link("../../../" + at, f"sys/bus/cxl/devices/decoder{port}.{number}")

    def region(self, number, memory, address):
        """Make a CXL region with the memory of a device."""
        devices = "sys/bus/cxl/devices"
        self.put(f"{devices}/region{number}/resource", address)
        self.put(f"{devices}/region{number}/target0", f"decoder2{number}.0")
        self.decoder(f"2{number}", 0)
        return self.link(f"../../{memory}", f"{devices}/endpoint2{number}/uport")

    def in_node(self):
        """Let the CXL device's memory be node 2."""
        self.region(0, "mem0", "0x2080000000")
        return self.put("sys/bus/cxl/devices/region0/dax_region0/dax0.0/target_node", 2)

    # ---- openpmon's class

    def discovery(self, package):
        """Make a discovery device without units."""
        self.files(f"pkg{package}-uncore0/", f"""
            package_id {package}
            owner openpmon
            mode on
            platform spr
            fingerprint 0123456789abcdef""")
        return self.append(f"pkg{package}-uncore0/units").append(f"pkg{package}-uncore0/rejected")

    def unit(self, package, *lines):
        """Add lines to the file `units`."""
        return self.append(f"pkg{package}-uncore0/units", *lines)

    def spr(self):
        """Make a host with one memory controller."""
        return self.discovery(0).unit(0, "6 imc 0 mmio 0x1 4 48 uncore_imc_0 openpmon")

    def domain(self, package, domain, cpus):
        """Make a die without limits, and a mesh without a file `reasons`."""
        return self.files(f"pkg{package}-dom{domain}/", f"""
            package_id {package}
            domain_id {domain}
            cpus {cpus}
            plr/version 0.1
            plr/die/reasons none
            plr/die/clear
            plr/mesh0/clear""")

    def core(self, package, domain, module, cpus, reasons):
        """Make a module with latched reasons."""
        return self.files(f"pkg{package}-dom{domain}/plr/core{module}/", f"""
            cpus {cpus}
            reasons {reasons}
            clear""")

    def record(self, part, in_force=None, before=()):
        """Write the driver's record: seconds of each reason in force, and reasons 2 h ago."""
        now = UPTIME * 1000
        return self.put(f"{part}/time_in_reason", f"observed 9000000 {now} 900 1",
                        *(f"{reason} {s * 1000} {now} {now - s * 1000} 1 9000000"
                          for reason, s in (in_force or {}).items()),
                        *(f"{reason} 9000 {now - 7200000} - 1 9000000" for reason in before))

    def dies(self, sockets, count, limits, modules=43, siblings=0):
        """Make dies of modules, which have a CPU each, or two whose numbers differ by siblings.

        limits(socket, die, module) returns seconds of each reason in force, or 0 if it was.
        """
        def cpus(first, last):
            begins = (first, first + siblings) if siblings else (first,)
            return ",".join(f"{at}-{at + last - first}" if last > first else str(at) for at in begins)
        cpu = 0
        for socket in range(sockets):
            for die in range(count):
                self.domain(socket, die, cpus(cpu, cpu + modules - 1)).record(f"pkg{socket}-dom{die}/plr/die")
                for module in range(modules):
                    reasons = limits(socket, die, module)
                    self.core(socket, die, module, cpus(cpu, cpu), " ".join(reasons) or "none")
                    self.record(f"pkg{socket}-dom{die}/plr/core{module}",
                                {reason: s for reason, s in reasons.items() if s},
                                [reason for reason, s in reasons.items() if not s])
                    cpu += 1
        return self

    def cpu(self, cpu, package, domain, module):
        """Make a CPU with a link to its module."""
        return self.link(f"../../../../class/pmon/pkg{package}-dom{domain}/plr/core{module}",
                         f"sys/devices/system/cpu/cpu{cpu}/plr")

    def tpmi(self, mode):
        """Set the mode of pmon_plr's device of package 0."""
        return self.put("pkg0-tpmi0/package_id", 0).put("pkg0-tpmi0/mode", mode)

    def zone(self, number, name, *watts, **files):
        """Make a zone of powercap, with a long-term and a short-term limit, and files such as energy_uj."""
        at = f"sys/class/powercap/intel-rapl{number}"
        for n, limit in enumerate(watts):
            self.put(f"{at}/constraint_{n}_name", ("long_term", "short_term")[n])
            self.put(f"{at}/constraint_{n}_power_limit_uw", limit * 1000000)
        for file, value in files.items():
            self.put(f"{at}/{file}", value)
        return self.put(f"{at}/name", name)

    def strikes(self, key, number):
        """Record failed boots of a kernel and version, the last in November 2026."""
        return self.put(f"var/lib/openpmon/strikes/{key}", f"{number} 1795996800")

    # ---- time

    def pauses(self):
        """Let time pass, without changes."""
        return self.put("sbin/pause")

    def passing(self, script="", end=None):
        """Run a script in each pause, and end pmonctl after so many ms.

        In the script, $from and $to are the times in ms before and after the pause, $class is the
        class directory.
        """
        self.put("sbin/pause", "#!/bin/sh", "root=${0%/sbin/pause} from=$1 to=$2",
                 "class=$root/" + CLASS, textwrap.dedent(script),
                 *([f"[ $to -lt {end} ] || kill $PPID"] if end else []))
        self.at("sbin/pause").chmod(0o755)
        return self

    def observing(self, script="", end=None, first=""):
        """Let the driver observe each part until now in each pause, between two scripts in the directory of die 0."""
        return self.passing(f"""
            cd "$class/pkg0-dom0/plr"
            now=$(({float(self.read("proc/uptime")) * 1000:.0f} + to))
            {textwrap.dedent(first)}
            printf '%d.%03d\\n' $((now / 1000)) $((now % 1000)) >"$root/proc/uptime"
            for part in die core*; do
                echo "observed ${{observed-$to}} $now ${{since-1000}} 1" >$part/time_in_reason
            done
            """ + textwrap.dedent(script), end)

    def job(self, ends, command=":"):
        """Return the words of a job for `pmonctl stat`, which runs a command and ends at a time."""
        self.put("job", JOB)
        if not os.access(self.at("sbin/pause"), os.X_OK):
            self.passing()
        self.append("sbin/pause", textwrap.dedent(f"""
            [ $to = {ends} ] || exit 0
            cd '{self.root}'
            until read -r job <job-pid; do sleep 0.01; done 2>/dev/null
            echo '{command}' >job-ends.new && mv job-ends.new job-ends
            until grep -q '^State:.*zombie' /proc/$job/status; do sleep 0.01; done
            rm job-pid job-ends"""))
        return ["--", "sh", self.at("job")]

    # ---- PMUs, with events that count for half of the time, at the rates in the file counts

    def pmu(self, name, **terms):
        """Make a PMU of the kernel."""
        self.folder(f"{PMUS}/{name}/events")
        for term, bits in terms.items():
            self.put(f"{PMUS}/{name}/format/{term}", bits)
        return self

    def box(self, name, number, cpus, *events):
        """Make a PMU of this type.

        An event is NAME=CONFIG[*SCALE][@RATE,...], with the config in hex, and a rate per ms for each
        CPU. A config of more than 16 bits is a config word, others are the term `event`.
        """
        self.pmu(name, event="config:0-7")
        at = f"{PMUS}/{name}"
        self.put(f"{at}/type", number).put(f"{at}/cpumask", cpus)
        for event in events:
            event, config, scale, rates = re.fullmatch(r"(.*?)=(\w+)(?:\*([^@]+))?(?:@(.*))?", event).groups()
            self.put(f"{at}/events/{event}", f"{'config' if len(config) > 4 else 'event'}=0x{config}")
            if scale:
                self.put(f"{at}/events/{event}.scale", scale).put(f"{at}/events/{event}.unit", "MiB")
            if rates:
                self.append("counts", *(f"{number} {config} {cpu} {rate}"
                                        for cpu, rate in zip(str(cpus).split(","), rates.split(","))))
        return self

    def recount(self, number, config, cpu, rate):
        """Change the rate of an event."""
        assert re.search(f"^{number} {config} {cpu} ", self.read("counts"), re.M)
        return self.edit("counts", f"^{number} {config} {cpu} .*", f"{number} {config} {cpu} {rate}")

    def forbidden(self):
        """Refuse to open events, as without rights."""
        return self.edit("counts", "[0-9]+$", "EACCES")

    def topology(self, cpu, package):
        return self.put(f"sys/devices/system/cpu/cpu{cpu}/topology/physical_package_id", package)

    def cxl_pmu(self, number, name, rate):
        """Make a CXL PMU that counts so many lines of 64 bytes read a ms, none written."""
        return self.box(name, number, 0, f"s2m_drs_memdata=1e9800250001@{rate}", "m2s_rwd_memwr=1e9800210002@0")

    # ---- scenes

    def moving(self):
        """Make two packages, each with two memory controllers and a link, a stack and a CXL device.

        A controller has events for both of its halves. A count is 64 bytes in the CXL device,
        elsewhere a quarter of a MiB.
        """
        self.discovery_function().folder(CLASS).pauses().topology(0, 0).topology(8, 1)
        for i, rate in (0, 0), (10, 40):
            self.box(f"uncore_imc_{i}", 20 + i, "0,8", "clockticks=1", "cas_count_read_sch0=5*0.25@8,8",
                     f"cas_count_read_sch1=6*0.25@{rate},{rate}",
                     "cas_count_write_sch0=7*0.25@0,0", "cas_count_write_sch1=8*0.25@0,8")
        self.box("uncore_upi_0", 50, "0,8", "rx_data=3*0.25@4,0", "tx_data=2*0.25@40,0")
        self.box("uncore_iio_free_running_3", 60, 0, "bw_in_port0=20*0.25@1", "bw_out_port7=37*0.25@2")
        self.cxl_pmu(70, "cxl_pmu_mem0.0", 16384)
        return self.put("cxl_pmu_mem0.0/events/s2m_drs_memdatanxm", "config=0x1e9800250002")

    def latency(self):
        """Make the tree of moving(), whose CXL device times requests."""
        return self.moving().box(
            "cxl_pmu_mem0.0", 70, 0, "clock_ticks=1e9800000001@2000000", "m2s_req_resid_cnt=1e9800310001@3400000",
            "m2s_req_completed=1e98002000ff@10000", "m2s_rwd_resid_cnt=1e9800310002@0", "m2s_rwd_all=1e98002100ff@0")

    def left_to(self, driver):
        """Make two packages whose boxes a driver drives."""
        for package in 0, 1:
            self.discovery(package)
            for each in "6 imc", "8 upi", "2 iio":
                self.unit(package, f"{each} 0 mmio 0x1000 4+1 48 - {driver}")
        return self

    def goes_off(self, begin, until, end):
        """Take the second package offline between these times in ms; end pmonctl at another."""
        self.moving().left_to("openpmon")
        self.unit(1, "6 imc 10 mmio 0x1 4 48 uncore_imc_10 openpmon")
        self.put("sys/devices/system/cpu/online", "0,8")
        return self.passing(f"""
            cpus() {{
                for mask in "$root"/{PMUS}/uncore_*/cpumask; do
                    case $mask in *free*) ;; *) echo $1 >$mask ;; esac
                done
                echo $1 >"$root/sys/devices/system/cpu/online"
            }}
            [ $to != {begin} ] || {{ cpus 0; mkdir -p "$root/offline"; : >"$root/offline/8"; }}
            [ $to != {until} ] || {{ cpus 0,8; rm -r "$root/offline"; }}""", end)

    def events_of_kernel(self):
        """Remove the events of links and stacks that intel_uncore lacks."""
        return self.remove("uncore_upi_0/events/*", "uncore_iio_free_running_3/events/bw_out*")

    def before_adopt(self):
        """Make the tree of moving(), whose boxes intel_uncore drives, without some events."""
        self.moving().left_to("intel_uncore").events_of_kernel()
        return self.live("intel_plr_tpmi", "pmon_uncore", "pmon_plr").paranoid(0).installed()

    def frozen(self):
        """Freeze the boxes of the second package; the CHAs of both have a clock."""
        return self.stands_still().box("uncore_cha_0", 40, "0,8", "clockticks=1@2000000,0")

    def hbm(self, scale=0.25):
        """Make an HBM unit in each of two packages."""
        return self.box("uncore_mchbm_31", 33, "0,8", "clockticks=101", f"cas_count_read=5*{scale}@2,0",
                        "cas_count_write=6*0.25@1,4")

    def host_ports(self):
        """Make CXL ports as on Granite Rapids: CXLCM 2 belongs to CXLDP 3, 10 to 11."""
        self.box("uncore_cxlcm_2", 82, "0,8", "rxc_pack_buf_inserts.mem_data=41*0.25@4,0")
        self.box("uncore_cxlcm_10", 90, "0,8", "rxc_pack_buf_inserts.mem_data=41*0.25@8,0")
        self.box("uncore_cxldp_3", 83, "0,8", "txc_agf_inserts.m2s_data=2*0.25@1,2")
        return self.box("uncore_cxldp_11", 91, "0,8", "txc_agf_inserts.m2s_data=2*0.25@0,0")

    def stands_still(self):
        """Set all rates of the package of CPU 8 to 0, as if its boxes were frozen."""
        return self.edit("counts", "^([235]0 [0-9a-f]+ 8) .*", r"\1 0")

    def handles(self, *modules):
        """Make loaded modules, and modprobe, insmod and rmmod, which log their calls."""
        self.folder("run").folder("etc/modprobe.d").folder("sbin")
        for name in "modprobe", "insmod", "rmmod":
            self.put(f"sbin/{name}", MODPROBE).at(f"sbin/{name}").chmod(0o755)
        return self.live(*modules).installed(*modules)


def text(data):
    """Return bytes as text; surrogates stand for bytes that are no UTF-8."""
    return (data or b"").decode(errors="surrogateescape")


def checked(result, status, err):
    """Check the exit status and standard error of a result."""
    __tracebackhide__ = True
    assert result.status == status, f"exit status {result.status}, not {status}\n{result}"
    assert err or not result.err, f"unexpected standard error\n{result}"
    return result.matches([err] if isinstance(err, str) else err, result.err, whole=False)


def drain(master, keys, run):
    """Return what a terminal shows. Press keys once a program takes them one by one."""
    shown, end = b"", time.monotonic() + 30
    while time.monotonic() < end:
        if keys and not termios.tcgetattr(master)[3] & termios.ICANON:
            os.write(master, keys.encode())
            keys = ""
        if not select.select([master], [], [], 0.02)[0]:
            if run.poll() is not None:
                break
            continue
        try:
            shown += os.read(master, 65536)
        except OSError:     # no program has the terminal any more
            break
    return shown
