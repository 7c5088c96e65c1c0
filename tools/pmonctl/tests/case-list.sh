# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# pmonctl list.

two_sockets() {
	new_tree
	for p in 0 1; do
		discovery $p
		for id in 0 1 2 3; do
			unit $p 0 cha $id msr 0x20${id}0 4 48 uncore_cha_$id openpmon
		done
		for id in 0 1 2 3 4 5 6 7 8 9 10 11; do
			unit $p 6 imc $id mmio 0xfe00${id} 4+1 48 uncore_imc_$id openpmon
		done
		unit $p 4 pcu 0 msr 0x3000 4 48 uncore_pcu openpmon
		unit $p 30 - 0 pci 0x80109318 8 32 uncore_type_30_0 openpmon
		domain $p 0 "$((p * 4))-$((p * 4 + 3))"
		core $p 0 0 "$((p * 4))-$((p * 4 + 1))" none
		core $p 0 10 "$((p * 4 + 2))-$((p * 4 + 3))" none
	done
}

two_sockets
run 0 list && silent && prints <<-'END'
Platform spr: 2 packages, 36 boxes, 2 performance-limit domains

UNIT     ID    PACKAGE  ACCESS  COUNTERS  BITS  PMU                 DRIVEN BY
cha      0-3   0-1      msr     4         48    uncore_cha_{0..3}   openpmon
pcu      0     0-1      msr     4         48    uncore_pcu          openpmon
imc      0-11  0-1      mmio    4+1       48    uncore_imc_{0..11}  openpmon
type 30  0     0-1      pci     8         32    uncore_type_30_0    openpmon

DOMAIN     PACKAGE  ID  MODULES  CPUS
pkg0-dom0  0        0   2        0-3
pkg1-dom0  1        0   2        4-7
END
verdict $? "list: boxes alike share a row, packages alike a set"

run 0 list --json && is_json && silent
verdict $? "list: --json is JSON"

json_has <<-'END'
assert m["format"] == 1
assert [d["name"] for d in m["devices"]] == ["pkg0-uncore0", "pkg1-uncore0"]
u = m["devices"][1]["units"]
assert len(u) == 18
assert u[4] == {"type": 6, "name": "imc", "id": 0, "access": "mmio",
                "address": "0xfe000", "counters": "4+1", "width": 48,
                "pmu": "uncore_imc_0", "owner": "openpmon"}, u[4]
assert u[17]["name"] is None
assert m["devices"][0]["rejected"] == []
assert m["domains"][1] == {"name": "pkg1-dom0", "package": 1,
                           "domain": 0, "cpus": "4-7",
                           "modules": [0, 10]}
END
verdict $? "list: --json holds every unit and domain"

new_tree
for p in 0 1; do
	discovery $p
	for id in 0 1 2 5; do
		unit $p 6 imc $id mmio 0x1 4 48 uncore_imc_$id openpmon
	done
done
unit 0 6 imc 3 mmio 0x1 4 48 uncore_imc_3 openpmon
run 0 list && prints <<-'END'
Platform spr: 2 packages, 9 boxes

UNIT  ID     PACKAGE  ACCESS  COUNTERS  BITS  PMU                   DRIVEN BY
imc   0-2,5  0-1      mmio    4         48    uncore_imc_{0,1,2,5}  openpmon
imc   3      0        mmio    4         48    uncore_imc_3          openpmon
END
verdict $? "list: a box that one package lacks has its own row"

a spr
rejected 0 6 3 counters 12 more than the 8 that fit
rejected 0 6 4 width 0x7f
rejected 0 - - stride 0x2 records overlap
run 1 list && silent && prints <<-'END'
Platform spr: 1 package, 1 box, 3 rejected

UNIT  ID  PACKAGE  ACCESS  COUNTERS  BITS  PMU           DRIVEN BY
imc   0   0        mmio    4         48    uncore_imc_0  openpmon

Rejected, and not touched:
  package 0 type 6 id 3: counters = 12, more than the 8 that fit
  package 0 type 6 id 4: width = 0x7f
  package 0 whole table: stride = 0x2, records overlap
END
verdict $? "list: rejected units are named and the status is degraded"

run 1 list --json && is_json &&
	has '*"reason": "more than the 8 that fit"*'
verdict $? "list: --json has rejected units"

new_tree
discovery 0
put pkg0-uncore0/owner intel_uncore
unit 0 6 imc 0 mmio 0x1 4 48 - intel_uncore
unit 0 6 imc 1 mmio 0x1 4 48 - intel_uncore
run 0 list && prints <<-'END'
Platform spr: 1 package, 2 boxes

UNIT  ID   PACKAGE  ACCESS  COUNTERS  BITS  PMU  DRIVEN BY
imc   0-1  0        mmio    4         48    -    intel_uncore

2 boxes are left to intel_uncore, which was there first.
END
verdict $? "list: boxes of another driver are said to be its"

while read -r mode why; do
	new_tree
	discovery 0
	put pkg0-uncore0/mode "$mode"
	put pkg0-uncore0/owner none
	unit 0 6 imc 0 mmio 0x1 4 48 - -
	run 0 list && has "1 box is listed but not driven: *$why*"
	verdict $? "list: mode $mode is explained"
done <<'END'
observe with mode=observe
unknown-model does not know this CPU model
hypervisor this is a virtual machine
END

a spr
unit 0 0 six imc 0 mmio 0x1 4 48 uncore_imc_0 openpmon
unit 0 6 imc
rejected 0 6
run 1 list && complains 'line not understood: "6 imc"' 'line not understood: "0 six imc 0' &&
	complains 'line not understood: "6"'
verdict $? "list: a line that is not understood is reported"

new_tree
discovery 0
rm "$(class)/pkg0-uncore0/rejected"
answers "list: a missing file is reported with its path" 1 'pkg0-uncore0/rejected: No such file' \
	list

new_tree
discovery 0
i=0
while [ $i -lt 1000 ]; do
	echo "0 cha $i msr 0x$i 4 48 uncore_cha_$i openpmon"
	i=$((i + 1))
done >"$(class)/pkg0-uncore0/units"
run 0 list && has '*uncore_cha_{0..999}*'
verdict $? "list: files larger than a page are read whole"

new_tree
discovery 0
unit 0 6 imc 0 mmio 0x1 4 48 uncore_imc_0 openpmon more columns
run 0 list && silent
verdict $? "list: columns that a later version appends are ignored"

# A file that cannot be read, as it is for a user without rights.
new_tree
discovery 0
unreadable "$(class)/pkg0-uncore0/units"
run 1 list && has 'Platform spr: 1 package, boxes that cannot be read' '! *0 boxes*'
verdict $? "list: nothing is said of boxes that cannot be read"
run 1 list --json && is_json && has '*"error": "unreadable"*' '! *"units"*'
verdict $? "list: --json says which tables cannot be read"
rm "$(class)/pkg0-uncore0/package_id"
run 1 list && prints <<-'END'
What /sys/class/pmon lists cannot be read.
END
verdict $? "list: nothing is said where nothing can be read"

# ---- columns
a spr
unit 0 8 upi 0 pci 0x2 4 48 uncore_upi_0 openpmon
domain 0 0 0-1
run 0 list -o pmu,UNIT && prints <<-'END'
PMU           UNIT
uncore_imc_0  imc
uncore_upi_0  upi
END
verdict $? "list: -o, in the order that is asked for"
run 0 list --noheadings --output 'driven by' && prints <<-'END'
openpmon
openpmon
END
verdict $? "list: --noheadings --output"
run 0 list -o CPUS && prints <<-'END'
CPUS
0-1
END
verdict $? "list: -o, a table that lacks the column is left out"
run 0 list -o PACKAGE && grep -c PACKAGE "$tmp/out" | grep -qx 2
verdict $? "list: -o, a column of two tables"
for bad in COLOUR PMU,CPUS '' 'PMU,' ,PMU; do
	run 64 list -o "$bad" && complains 'no table has these columns' && prints </dev/null
	verdict $? "list: -o '$bad' is wrong usage"
done
answers "plr: -o is wrong usage" 64 'plr has no option --output' plr -o CPUS
new_tree
memory mem0 0000:c1:00.0 0xccf3e97e
memory mem10 0000:c5:00.0 0x0
cpmu cxl_pmu_mem0.0 0xccf3e97e clock_ticks m2s_req_memrd s2m_ndr_cmp \
	read_bytes read_bytes.scale read_bytes.unit
cpmu cxl_pmu_mem0.1 '' ddr_act rd_queue_occ mc_rd_resid_cnt
run 0 list && silent && prints <<-'END'
CXL DEVICE  ADDRESS       SERIAL      PMU             EVENTS  DRIVEN BY  COUNTS
mem0        0000:c1:00.0  0xccf3e97e  cxl_pmu_mem0.0  4       openpmon   clock, CXL.mem
mem0        0000:c1:00.0  0xccf3e97e  cxl_pmu_mem0.1  3       cxl_pmu    DDR, queues
mem10       0000:c5:00.0  -           -               -       nobody     -
END
verdict $? "list: CXL memory devices and their PMUs"
run 0 list --json && is_json && silent &&
	has '*"pmu": "cxl_pmu_mem0.1"*' '*"address": "0000:c5:00.0"*'
verdict $? "list: --json has them"
cpmu cxl_pmu_port_0000_c0_00_0.0 0x0 clock_ticks m2s_req_memrd
ln -s ../../../../devices/pci0000:c0/0000:c0:00.0 "$pmu/device"
cpmu cxl_pmu_port_0000_c0_00_0.1 0x0 d2h_req_rdcurr
ln -s ../../../../devices/pci0000:c0/0000:c0:00.0 "$pmu/device"
cpmu cxl_pmu_port_0000_c2_00_0.0 0xa5 m2s_req_memrd
ln -s ../../../../devices/pci0000:c0/0000:c2:00.0 "$pmu/device"
cpmu cxl_pmu_pci_0000_c9_00_0.0 0xccf3e97f devload_light
ln -s ../../../../devices/pci0000:c0/0000:c9:00.0 "$pmu/device"
run 0 list && silent && sed -i 's/  *$//' "$tmp/out" && prints <<-'END'
CXL DEVICE  ADDRESS       SERIAL      PMU                          EVENTS  DRIVEN BY  COUNTS
mem0        0000:c1:00.0  0xccf3e97e  cxl_pmu_mem0.0               4       openpmon   clock, CXL.mem
mem0        0000:c1:00.0  0xccf3e97e  cxl_pmu_mem0.1               3       cxl_pmu    DDR, queues
mem10       0000:c5:00.0  -           -                            -       nobody     -
port        0000:c0:00.0  -           cxl_pmu_port_0000_c0_00_0.0  2       openpmon   clock, CXL.mem
port        0000:c0:00.0  -           cxl_pmu_port_0000_c0_00_0.1  1       openpmon   CXL.cache
port        0000:c2:00.0  0xa5        cxl_pmu_port_0000_c2_00_0.0  1       openpmon   CXL.mem
function    0000:c9:00.0  0xccf3e97f  cxl_pmu_pci_0000_c9_00_0.0   1       openpmon   DevLoad
END
verdict $? "list: ports and functions without a driver"
run 0 list --json && json_has <<-'END'
	cxl = m["cxl"]
	assert [d["kind"] for d in cxl] == ["memory"] * 2 + ["port"] * 2 + ["function"]
	assert len(cxl[2]["units"]) == 2 and cxl[2]["serial"] is None
	assert "name" not in cxl[3]
END
verdict $? "list: --json has these, too"
echo 2 >"$root/sys/bus/event_source/devices/cxl_pmu_mem0.0/chmus"
run 0 list && silent && prints sed -n '/^mem0 /s/  */ /gp' <<-'END'
mem0 0000:c1:00.0 0xccf3e97e cxl_pmu_mem0.0 4 openpmon clock, CXL.mem
mem0 0000:c1:00.0 0xccf3e97e cxl_pmu_mem0.1 3 cxl_pmu DDR, queues
mem0 0000:c1:00.0 0xccf3e97e - - nobody hot ranges (2 CHMU)
END
verdict $? "list: monitors of hot ranges are there, and nobody drives them"

discovery 0
unit 0 6 imc 0 mmio 0x1 4 48 uncore_imc_0 openpmon
run 0 list && grep -q uncore_imc_0 "$tmp/out" &&
	has 'mem0 *cxl_pmu_mem0.0*'
verdict $? "list: beside boxes of processors"
