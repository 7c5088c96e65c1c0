#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Test invalid tables. Each unit with a field out of range is rejected, with a line in
# the log and in `rejected` that names the unit, the field and the value; nothing is
# written to the unit; all others count exactly. A table that is invalid as a whole is
# rejected; others are used.
# contract: addresses
# all kernels: 6.12 sanitizer
. "$(dirname "$0")/../lib/tap.sh"

# Add a unit for each fault, behind the good ones. `expect` collects the unit's number
# and the expected line: type, id, field and value.
cat >"$TMP/lies.py" <<'PY'
ONES = 2 ** 64 - 1
PCI = 1 << 31
expect = []
table = m["packages"][0]["discovery"]
good = list(table["units"])
number = [0]

def lie(field, value, behind="mmio", known=None, **says):
    n = number[0]
    number[0] += 1
    unit = {"type": 900, "id": n, "access": behind, "counters": 4, "width": 48}
    if behind == "msr":
        unit.update(address=0x3a00 + 0x10 * n, ctl_offset=2, ctr_offset=8)
    elif behind == "mmio":
        unit.update(address="auto", ctl_offset=0x40, ctr_offset=8)
    else:
        unit.update(address="auto", ctl_offset=0x38, ctr_offset=8)
    if known is not None:
        says.update(type=known, id=100 + n)
    unit["table"] = {k: hex(v) if isinstance(v, int) else v for k, v in says.items()}
    if isinstance(value, dict):                     # address depends on the machine
        value = 0
    table["units"].append(unit)
    shown = (says.get("type", 900), says.get("id", n))
    if "q2" in says:
        shown = (says["q2"] & 0xffff, says["q2"] >> 16 & 0xffff)
    expect.append((n, *shown, field, value))

for v in (0, 65, 255):
    lie("counters", v, counters=v)
for v in (9, 64):                                   # no room for so many counters
    lie("ctr_offset", 8, counters=v)
lie("counters", 5, known=6, counters=5)
for v in (0, 31, 65, 255):
    lie("width", v, width=v)
for v in (0, 2, 0x41):
    lie("ctl_offset", v, ctl_offset=v)
lie("ctl_offset", 0x44, known=6, ctl_offset=0x44)
lie("ctl_offset", 0, "msr", ctl_offset=0)
for v in (0, 0x0c, 0x40, 0xff):
    lie("ctr_offset", v, ctr_offset=v)
lie("ctr_offset", 3, "msr", ctr_offset=3)
for v in (1, 8, 0x40):
    lie("status_offset", v, status_offset=v)
lie("access", 3, access="reserved")
lie("access", 2, known=6, access="pci")
lie("access", 1, "msr", known=0, access="mmio")
for v in (0x10, 0x1fff, 0x2ff0, 0x2ffe, 0x4000, 0xc0000082, 0x100002000):
    lie("address", v, "msr", address=v)
lie("address", 0x2004, "msr", address=0x2004)       # inside cha 0
for v in (0xa0000, 0x1000000, 0xfee00000, 0x81000004, 1 << 51, 1 << 52,
          ONES - 7):
    lie("address", v, address=v)
for v in (0x00e0c438, PCI | 0x0f50c438, PCI | 0x7fe0c438, PCI | 0x7e0103c,
          PCI | 0x7e01ffc, PCI | 0x7e01319, 1 << 32 | PCI | 0x7e0c438,
          PCI | 0x318):
    lie("address", v, "pci", address=v)
# functions of storage, network, display and USB have no counters; functions of other classes may
functions = m["packages"][0]["functions"] = []
for n, kind in enumerate((0x018000, 0x028000, 0x038000, 0x0c0380), 1):
    functions.append({"bus": "0x7e", "devfn": f"1d.{n}", "device": "8086:3999",
                      "config": {"0x8": kind << 8}})
    v = PCI | 0x7e << 20 | 0x1d << 15 | n << 12 | 0x438
    lie("address", v, "pci", address=v)
for slot, kind in (("0c", 0x050000), ("0d", 0x130000), ("0e", 0x0b4000)):
    functions.append({"bus": "0x7e", "devfn": f"{slot}.0", "config": {"0x8": kind << 8}})
for bar in ("table", "telemetry"):
    v = {"bar": bar, "offset": 0x100}
    lie("address", v, address=v)
lie("id", 0, known=None, type=6, id=0)              # imc 0 once more
for q in ("q0", "q1", "q2"):
    lie("record", ONES, **{q: ONES})
# an unused record is no lie, even if it keeps its type and number
for n, unused in enumerate(({"q0": 0, "q1": 0, "q2": 0}, {"q0": 0, "q1": 0},
                            {"q0": 0}, {"q1": 0})):
    table["units"].append({"type": 901, "id": n, "access": "mmio",
                           "address": "auto", "counters": 4, "width": 48,
                           "table": unused})

def whole(**changes):
    t = {"stride": 8, "dvsec": {"id": 1}, "max_units": "auto",
         "units": [{"type": 902, "id": len(tables), "access": "mmio", "address": "auto",
                    "counters": 4, "width": 48}]}
    for k, v in changes.items():
        t[k] = v
    tables.append(t)

tables = [table]
whole(stride=2)
whole(dvsec={"bir": 7})
whole(max_units=1023)
# valid tables: one at the capability's offset, two at the BAR's start whatever the offset
whole(dvsec={"offset": 0x100})
whole(dvsec={"offset": 0x80, "place": 0})
whole(dvsec={"offset": 0x80000, "place": 0})
whole(**{"global": {"q0": ONES, "q1": ONES, "q2": ONES}})
# the control, whose place in the BAR is 0xa800, is the unit's first counter
whole(units=[{"type": 902, "id": 7, "access": "mmio", "address": {"bar_offset": "0xa7f8"},
              "counters": 4, "width": 48, "ctr_offset": 8}],
      **{"global": {"access": "mmio", "address": "auto"}})
whole(dvsec={"vendor": 0x1e98})                     # ignored without a message
m["packages"][0]["discovery"] = tables
first = m["packages"][0]["oobmsm"]
m["packages"][0]["oobmsm"] = [{**first, "devfn": place} for place in (
    *(f"03.{n}" for n in range(1, 8)), "05.0", "06.0", "07.0")]
with open(out + ".expect", "w") as f:
    for e in expect:
        print("%d %d %d %s 0x%x" % e, file=f)
PY

hostile=$(machine spr-2s "$(cat "$TMP/lies.py")")
mv "$hostile.expect" "$TMP/expect"

each_vm --machine "$hostile" --copy "$TMP/expect" <<-'S'
	# somewhere FILE: replace addresses of BARs, which depend on the machine
	somewhere() {
		sed 's/ 0x[0-9a-f]*\( inside other registers\)/ 0x0\1/' "$1"
	}
	dmesg >/tmp/log
	somewhere /tmp/log >/tmp/known
	cut -d' ' -f2- /root/expect | sort >/tmp/lies
	for p in 0 1; do
		somewhere $PMON/pkg$p-uncore0/rejected |
			cut -d' ' -f1-4 | sort >/tmp/rejected
		is "$(cat /tmp/rejected)" "$(cat /tmp/lies)" \
			"package $p: sysfs rejects $(wc -l </tmp/lies) invalid units and no other"
		unlike "$(cat $PMON/pkg$p-uncore0/rejected)" '^([^ ]+ ){3}[^ ]+ *$' \
			"package $p: every rejected unit has a reason"
		sed -n "s/.*pmon_uncore: package $p: unit type \([0-9]*\) id \([0-9]*\) rejected: \([a-z_]*\) \(0x[0-9a-f]*\) .*/\1 \2 \3 \4/p" \
			/tmp/known | sort >/tmp/logged
		is "$(cat /tmp/logged)" "$(cat /tmp/lies)" \
			"package $p: every rejected unit has one line in the log"
	done

	# touched reads|writes...: print rejected units with such accesses to their
	# registers
	hw units | sed -n 's|pkg=\([0-9]*\) type=\(90[0-9]\) id=\([0-9]*\) .*|\1/\2/\3|p' \
		>/tmp/liars
	touched() {
		sed 's/^/count unit /' /tmp/liars | hw - | awk -v fields=" $* " '
			FILENAME == "/tmp/liars" { unit[++units] = $0; next }
			# each answer begins with the same class
			!first { first = $1 }
			$1 == first { at++ }
			$1 ~ /^class=(global-ctl|box-ctl|event-ctl|counter|filter|status)$/ {
				for (i = 2; i <= NF; i++) {
					split($i, pair, "=")
					if (index(fields, " " pair[1] " ") && pair[2] > 0)
						print unit[at], $1, $i
				}
			}
			END { if (!units || at != units) print at, "answers of", units }' \
			/tmp/liars -
	}
	is "$(touched reads writes)" '' 'loading accesses no register of a rejected unit'

	# tables that are wrong as a whole, in any order
	cat $PMON/pkg0-uncore[1-9]/rejected | sort >/tmp/tables
	like "$(cat /tmp/tables)" '^- - stride 0x2 ' 'a table with too short a stride is rejected'
	like "$(cat /tmp/tables)" '^- - bir 0x7 ' 'a table in a BAR that does not exist is rejected'
	like "$(cat /tmp/tables)" '^- - units 0x3ff ' 'a table with more units than its BAR holds is rejected'
	like "$(cat /tmp/tables)" '^- - table 0xffffffffffffffff ' 'a table of all ones is rejected'
	like "$(cat /tmp/tables)" '^- - global 0x[0-9a-f]*800 overlaps a unit$' \
		"a global control among a unit's registers is rejected"
	is "$(wc -l </tmp/tables)" 5 'five tables are rejected and no other'
	is "$(grep -c 'package 0: discovery table of .* is faulty: ' /tmp/log)" 5 \
		'the log has a line for each of five rejected tables'
	is "$(cat $PMON/pkg0-uncore*/units | awk '$1 == 902 { print $3 }' | sort -n | tr '\n' ' ')" \
		'3 4 5 6 7 ' "a table is read at its capability's offset or at the start of its BAR"

	# Count on both packages' good memory controllers, and on functions of unusual classes.
	hw truth reset
	hw count reset
	events=
	for i in 0 1 2 3 4 5 6 7; do
		events="$events uncore_imc_$i/event=0x05,umask=0xcf/"
	done
	uncore_counts 0.2 $events uncore_cha_0/event=0x05,umask=0xcf/ \
		uncore_upi_0/event=0x05,umask=0xcf/ \
		uncore_m2m_0/event=0x05,umask=0xcf/ \
		uncore_m2m_1/event=0x05,umask=0xcf/ \
		uncore_m2m_2/event=0x05,umask=0xcf/ >/tmp/counts
	is "$(wc -l </tmp/counts)" 26 'all accepted units count beside invalid ones'
	wrong=
	while read -r package count event; do
		case $event in
		uncore_imc_*) type=6 ;;
		uncore_cha_*) type=0 ;;
		uncore_m2m_*) type=7 ;;
		*) type=8 ;;
		esac
		id=${event#uncore_*_}
		truth=$(uncore_truth_of "$package/$type/${id%%/*}" 0xcf05)
		[ "$truth" = "$count" ] && [ "$count" != 0 ] ||
			wrong="$wrong $package/$event:$count/$truth"
	done </tmp/counts
	is "$wrong" '' 'all accepted units count exactly beside invalid ones'
	is "$(touched writes)" '' 'no register of a rejected unit is written'
	S
finish
