#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Run the image and the DaemonSet of exporters.rst in podman's runtime: as a user other than
# root pmonctl counts by its file's capability, and shows limits. It fails if the file or the
# securityContext lacks this capability.
# kernels: 6.12
# check: none
. "$(dirname "$0")/../lib/tap.sh"

crun=$("$ROOT/selftests/lib/build/crun")/crun
bundle() {
	/usr/bin/python3 "$CASES/lib/bundle.py" "$crun/seccomp.json" "${@:2}" >"$TMP/bundle/$1.json"
}
mkdir "$TMP/bundle"
once='args=["metrics", "--for", "2"]'
runs 'the DaemonSet has one container whose mounts and rights fit together' bundle file
# On a node without the hardware the init container prints a line, and waits.
/usr/bin/python3 -c 'import sys, yaml
print(yaml.safe_load(open(sys.argv[1]))["spec"]["template"]["spec"]["initContainers"][0]["args"][0])' \
	"$ROOT/tools/metrics/openpmon-daemonset.yaml" >"$TMP/hardware"
mkdir "$TMP/fake"
waits() {
	printf '#!/bin/sh\nexit %s\n' "$1" >"$TMP/fake/pmonctl"
	chmod +x "$TMP/fake/pmonctl"
	PATH=$TMP/fake:$PATH timeout 2 /bin/sh "$TMP/hardware" 2>&1
}
is "$(waits 77; echo $?)" 'openpmon: this node has no supported hardware; the pod waits
124' 'the init container prints a line and waits on a node without hardware'
is "$(waits 0; echo $?) $(waits 2; echo $?)" '0 0' 'the init container ends on a node with hardware or with a fault'
bundle once "$once"
bundle bare "$once" 'capabilities={"drop": ["ALL"]}'
bundle doctor 'args=["doctor"]'
bundle old "$once" old=true
setcap=$(sed -n 's/^RUN setcap //p' "$ROOT/tools/metrics/Containerfile")

for k in $KERNELS; do
	in_vm "$k gnr-2s" --kernel "$k" --machine gnr-2s --copy "$crun" --copy "$TMP/bundle" <<-S
	. /lib/test/plr.sh

	libraries=/root/crun:/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu
	# Mount a tmpfs, because a guest's root file system cannot store files' capabilities.
	mkdir /root/c /root/metrics
	mount -t tmpfs tmpfs /root/c
	chmod 777 /root/metrics
	mkdir -p /root/c/image/usr/bin /root/c/image/proc /root/c/image/sys /root/c/image/dev \\
		/root/c/image/metrics
	cp /bin/pmonctl /root/c/image/usr/bin/
	for dir in /lib /lib64 /usr/lib; do
		mkdir -p /root/c/image\$dir
		cp -r \$dir/ld-linux* \$dir/x86_64-linux-gnu /root/c/image\$dir/ 2>/dev/null
	done
	runs "setcap sets the file's capability" sh -c 'cd /root/c/image && LD_LIBRARY_PATH='\$libraries' \\
		/root/crun/setcap ${setcap/ \// }'
	# contained NAME: run a container from the bundle of that name
	contained() {
		cp /root/bundle/\$1.json /root/c/config.json
		LD_LIBRARY_PATH=\$libraries /root/crun/crun --cgroup-manager=disabled \\
			run --no-pivot --bundle /root/c \$1
	}
	mount -t cgroup2 cgroup2 /sys/fs/cgroup
	rmmod pmon_plr pmon_uncore pmon
	modprobe pmon gid=997
	modprobe -a pmon_uncore pmon_plr
	echo 2 >/proc/sys/kernel/perf_event_paranoid
	exits 0 'pmonctl metrics succeeds in a container' contained once
	echo "\$out" >/tmp/metrics
	runs \
		'metrics in a container counts memory reads' grep -q '^openpmon_memory_read_bytes_total{package="1"} [1-9]' \\
		/tmp/metrics
	runs \
		'metrics in a container watches modules' grep -q '^openpmon_watched_modules{package="0",domain="0"} [1-9]' /tmp/metrics
	is "\$(grep -c '^openpmon_package_energy' /tmp/metrics)" 0 \
		'metrics in a container has no series of masked energy'
	exits 0 'doctor succeeds in a container' contained doctor
	fails 'metrics fails under a seccomp profile that needs CAP_SYS_ADMIN' contained old

	contained file 2>/tmp/err &
	runtime=\$!
	becomes '[ -s /root/metrics/openpmon.prom ]'
	runs \
		"the DaemonSet's container writes its file to the volume" grep -q '^openpmon_memory_read' /root/metrics/openpmon.prom
	pid=\$(ps | awk '/[m]etrics --file/ && !/crun/ { print \$1 }' | tail -n 1)
	is "\$(sed -n 's/^Uid:.//p' /proc/\$pid/status | cut -f1-2 | tr '\t' ' ')" '65534 65534' \
		"the container's process runs as user 65534"
		'it is a user who is not root'
	is "\$(sed -n 's/^CapEff:.//p' /proc/\$pid/status)" 0000004000000000 \
		"the container's process has CAP_PERFMON alone"
		'with CAP_PERFMON alone'
	is "\$(sed -n 's/^NoNewPrivs:.//p' /proc/\$pid/status)" 1 "the container's process has NoNewPrivs"
	is "\$(sed -n 's/^Seccomp:.//p' /proc/\$pid/status)" 2 "the container's process is under a seccomp filter"
	kill \$pid
	wait \$runtime
	is \$? 0 'the container exits with 0 after a signal'
	is "\$(ls -A /root/metrics) \$(cat /tmp/err)" ' ' 'the container removes its file and prints nothing'

	fails 'a container without the capability fails' contained bare
	like "\$(contained bare 2>&1 >/dev/null)" 'Operation not permitted' \
		'the kernel refuses to execute pmonctl without the capability'
	rm /root/c/image/usr/bin/pmonctl
	cp /bin/pmonctl /root/c/image/usr/bin/
	fails 'metrics fails if the file has no capability' contained once
	like "\$(contained once 2>&1 >/dev/null)" 'counting needs root, or CAP_PERFMON' \
		"metrics without the file's capability names CAP_PERFMON"
	S
done
finish
