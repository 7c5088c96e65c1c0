# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154,SC2016
# pmonctl doctor.

# paranoid LEVEL
paranoid() {
	mkdir -p "$root/proc/sys/kernel"
	echo "$1" >"$root/proc/sys/kernel/perf_event_paranoid"
}

# healthy NAME: nothing to complain about
healthy() {
	new_tree "doctor-$1"
	pci 0000:00:03.1 0x8086 0x09a7
	pci 0000:00:04.0 0x8086 0x1234
	ln -s ../../../drivers/intel_vsec "$root/sys/bus/pci/devices/0000:00:03.1/driver"
	echo D0 >"$root/sys/bus/pci/devices/0000:00:03.1/power_state"
	live pmon_uncore
	live pmon_plr
	installed pmon_uncore pmon_plr
	paranoid 0
	discovery 0
	unit 0 6 imc 0 mmio 0x1 4 48 uncore_imc_0 openpmon
	domain 0 0 0-1
	core 0 0 0 0-1 none
}

healthy well
run 0 doctor && silent && prints <<-'END'
ok  0000:00:03.1  present, driver intel_vsec
ok  pmon_uncore   loaded, 0 users
ok  pmon_plr      loaded, 0 users
ok  boxes         1 driven by openpmon
ok  pkg0-dom0     1 module, the die says: none
ok  perf          everybody may count
END
verdict $? "doctor: a healthy host"
run 0 doctor --json && is_json && silent
verdict $? "doctor: --json is JSON"

# finds STATUS NAME TEXT CODE
finds() {
	healthy "$2"
	eval "$4"
	run "$1" doctor && grep -qE "$3" "$tmp/out" && return 0
	sed 's/^/# /' "$tmp/out"
	return 1
}

at='$root/sys/bus/pci/devices/0000:00:03.1'
finds 1 vfio '^problem .*bound to vfio-pci' \
	'ln -sfn ../../../drivers/vfio-pci '"$at/driver"
verdict $? "doctor: a device that a virtual machine has"
finds 1 asleep '^problem .*asleep \(D3hot\)' "echo D3hot >$at/power_state"
verdict $? "doctor: a device that sleeps"
finds 1 absent '^problem .*not loaded; modprobe pmon_plr' \
	'rm -r $root/sys/module/pmon_plr'
verdict $? "doctor: a module that is not loaded"
finds 1 uninstalled '^problem .*no such module for kernel .*install' \
	'rm -r $root/sys/module/pmon_plr; installed pmon_uncore'
verdict $? "doctor: a module that is not installed"
finds 1 unknown '^problem .*osrelease, which would tell .* cannot be read' \
	'rm -r $root/sys/module/pmon_plr $root/proc/sys/kernel/osrelease'
verdict $? "doctor: a tree that does not say which kernel it is of"
finds 1 elsewhere '^problem .*osrelease, which would tell .* cannot be read' \
	'rm -r $root/sys/module/pmon_plr; echo ../.. >$root/proc/sys/kernel/osrelease'
verdict $? "doctor: a kernel whose name is a path"
finds 0 signed '^note .*signed modules only' \
	'mkdir -p $root/sys/kernel/security; echo "none [integrity] confidentiality" >$root/sys/kernel/security/lockdown'
verdict $? "doctor: signatures are wanted"
finds 0 foreign '^note .*1 left to intel_uncore; pmonctl adopt uncore' \
	'unit 0 6 imc 1 mmio 0x1 4 48 - intel_uncore'
verdict $? "doctor: boxes of another driver"
finds 0 nobody '^note .*1 listed, and not driven; the module was loaded with mode=observe' \
	'unit 0 6 imc 1 mmio 0x1 4 48 - -; put pkg0-uncore0/mode observe'
verdict $? "doctor: boxes of nobody"
finds 1 frozen '^problem .*pkg0-uncore0 .*every count is 0' \
	'put pkg0-uncore0/global_control 0x0000000000000001'
verdict $? "doctor: a package whose boxes are all frozen"
finds 1 rejected '^problem .*1 rejected' 'rejected 0 6 4 width 0x7f wide'
verdict $? "doctor: rejected units"
finds 1 unreadable '^problem .*pkg0-dom0 .*cannot be read' \
	'rm "$(class)/pkg0-dom0/plr/die/reasons"'
verdict $? "doctor: limits that cannot be read"
finds 0 paranoid '^note .*perf_event_paranoid is 2' 'paranoid 2'
verdict $? "doctor: who may count"
finds 0 adopted '^ok .*uncore .*adopted, by .*/etc/modprobe.d/openpmon-uncore.conf' \
	'mkdir -p $root/etc/modprobe.d; : >$root/etc/modprobe.d/openpmon-uncore.conf'
verdict $? "doctor: what was adopted"
new_tree doctor-none
run 77 doctor
verdict $? "doctor: no supported hardware is 77"
