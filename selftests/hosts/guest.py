# SPDX-License-Identifier: GPL-2.0-only
"""Run a whole Debian as the guest of an emulated server: make its disk, boot, run scripts.
Needs root, for the disk."""
import os
import pathlib
import re
import socket
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIMIT = 1200
# Most of these parameters make the boot minutes shorter.
CMDLINE = ("root=/dev/vda rw console=ttyS0 panic=-1 no_timer_check tsc=reliable "
           "random.trust_cpu=on mitigations=off cryptomgr.notests nowatchdog "
           "rcupdate.rcu_cpu_stall_suppress=1 lpj=4000000 "
           "systemd.show_status=false systemd.journald.forward_to_console=no")

# Run a shell on the second serial port after the boot.
SHELL = """\
[Unit]
Description=What runs the tests of this guest
After=multi-user.target
[Service]
StandardInput=tty-force
StandardOutput=tty
TTYPath=/dev/ttyS1
ExecStart=/bin/bash --noprofile --norc /t/shell
[Install]
WantedBy=multi-user.target
"""
READ = """\
stty raw -echo
echo READY
while read -r mark line; do
	bash -c "$line" </dev/null >/run/said 2>&1
	status=$?
	cat /run/said
	echo "$mark $status"
done
"""
# Mask these units, because they take minutes or no test needs them.
IDLE = ("apt-daily.timer", "apt-daily-upgrade.timer", "man-db.timer",
        "dpkg-db-backup.timer", "e2scrub_all.timer", "fstrim.timer",
        "getty@tty1.service", "serial-getty@ttyS0.service",
        "systemd-networkd.service")


class Failed(Exception):
    """The guest did not boot, respond or power off."""


def artefact(*command, **env):
    """Return the last line that a build script prints."""
    run = subprocess.run([str(c) for c in command], check=False, text=True,
                         stdout=subprocess.PIPE, env={**os.environ, **env})
    if run.returncode:
        raise Failed(f"{command[0]} failed")
    return run.stdout.strip().splitlines()[-1]


def make_disk(tree, extra, disk, size="4G"):
    """Make a disk with the files of tree, and those of extra over them."""
    wants = extra / "etc/systemd/system"
    (wants / "multi-user.target.wants").mkdir(parents=True)
    (wants / "test-shell.service").write_text(SHELL)
    os.symlink("../test-shell.service",
               wants / "multi-user.target.wants/test-shell.service")
    for unit in IDLE:
        os.symlink("/dev/null", wants / unit)
    # An emulated host needs an hour for the work of five minutes, so lengthen the timer.
    slow = wants / "openpmon-healthy.timer.d"
    slow.mkdir()
    (slow / "slow.conf").write_text("[Timer]\nOnActiveSec=\nOnActiveSec=2h\n")
    (extra / "t").mkdir(exist_ok=True)
    (extra / "t/shell").write_text(READ)
    script = ('mount -t overlay overlay -o "lowerdir=$1:$2" "$3" && '
              'truncate -s "$5" "$4" && mke2fs -q -F -t ext4 '
              '-E lazy_itable_init=1,root_owner=0:0 -d "$3" "$4"')
    merged = disk.with_suffix(".merged")
    merged.mkdir(exist_ok=True)
    subprocess.run(["unshare", "-m", "sh", "-c", script, "disk", extra, tree,
                    merged, disk, size], check=True)
    merged.rmdir()


class Guest:
    """A disk that can be booted on any machine with any kernel."""

    def __init__(self, disk):
        self.disk = disk
        self.log = disk.with_suffix(".log")
        self.log.write_bytes(b"")
        self.process = None
        self.socket = None
        self.buffer = b""
        self.marks = 0

    def boot(self, kernel, machine, append=""):
        """Boot, wait for the shell, and return the seconds that this took."""
        path = self.disk.with_suffix(".sock")
        path.unlink(missing_ok=True)
        arguments = subprocess.run(
            [ROOT / "selftests/emulator/qemu-args", machine], check=True,
            text=True, stdout=subprocess.PIPE).stdout.splitlines()
        qemu = artefact(ROOT / "selftests/lib/build/qemu")
        console = self.disk.with_suffix(".console")
        started = time.monotonic()
        self.process = subprocess.Popen(
            [qemu, *arguments, "-nodefaults", "-display", "none", "-no-reboot",
             "-kernel", kernel / "vmlinuz", "-initrd", kernel / "initrd",
             "-append", f"{CMDLINE} {append}",
             "-drive", f"if=none,id=d0,format=raw,file={self.disk},cache=unsafe",
             "-device", "virtio-blk-pci,drive=d0,bus=pcie.0,addr=0x1c",
             "-serial", f"file:{console}",
             "-chardev", f"socket,id=c,path={path},server=on,wait=on",
             "-serial", "chardev:c"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        while True:
            try:
                self.socket = socket.socket(socket.AF_UNIX)
                self.socket.connect(str(path))
                break
            except OSError:
                if self.process.poll() is not None:
                    raise Failed("QEMU ended at once") from None
                time.sleep(0.05)
        self.buffer = b""
        self.until(rb"READY\r?\n")
        return time.monotonic() - started

    def until(self, pattern, limit=LIMIT):
        """Wait for the pattern; return the output before it, and the match."""
        end = time.monotonic() + limit
        while not (m := re.search(pattern, self.buffer, re.M)):
            left = end - time.monotonic()
            data = b""
            try:
                self.socket.settimeout(max(left, 0.1))
                data = self.socket.recv(65536)
            except TimeoutError:
                self.keep()
                raise Failed(f"nothing for {limit} s: "
                             f"{self.buffer[-1000:]!r}") from None
            except OSError:
                pass
            if not data:
                self.keep()
                raise Failed(f"the guest has gone: {self.buffer[-1000:]!r}")
            self.buffer += data
        said, self.buffer = self.buffer[:m.start()], self.buffer[m.end():]
        return said.decode(errors="replace"), m

    def run(self, line, limit=LIMIT):
        """Run a line in bash; return its status and output."""
        self.marks += 1
        mark = f"mark-{self.marks}-{os.getpid()}"
        self.socket.sendall(f"{mark} {line}\n".encode())
        said, m = self.until(mark.encode() + rb" (\d+)\r?\n", limit)
        return int(m.group(1)), said.replace("\r\n", "\n")

    def keep(self):
        """Add the console of this boot to the log of all boots."""
        console = self.disk.with_suffix(".console")
        if console.exists():
            with self.log.open("ab") as f:
                f.write(console.read_bytes())
            console.unlink()

    def gone(self, limit):
        try:
            self.process.wait(limit)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise Failed("the guest did not go down") from None
        finally:
            self.socket.close()
            self.keep()

    def off(self):
        """Power the guest off."""
        self.socket.sendall(b"off systemctl --no-block poweroff\n")
        self.gone(300)

    def crash(self):
        """Make the guest panic, so that it writes no more data to its disk."""
        self.socket.sendall(b"crash sync; echo c >/proc/sysrq-trigger\n")
        self.gone(120)

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
