# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# Files and names that have more than text in them: a terminal is not commanded
# by them, and JSON stays JSON.

# Two sequences of a terminal, one that begins with a single byte, DEL, bytes
# that are no UTF-8, and what reverses the text that follows.
nasty=$(printf '\033[2J\033]0;x\007\233\302\205\177\377\355\240\200\342\200\256')
nice='\x1b[2J\x1b]0;x\x07\x9b\xc2\x85\x7f\xff\xed\xa0\x80\xe2\x80\xae'

# clean: both outputs are what a terminal shows
clean() {
	rest=$(cat "$tmp/out" "$tmp/err" | LC_ALL=C tr -d ' -~\n' | od -An -c |
		head -n 1)
	[ -z "$rest" ] && return 0
	echo "# printed as it is: $rest"
	return 1
}

# shows TEXT FILE: one of them has it, with all of nasty as escapes
shows() {
	grep -qF -- "$1" "$tmp/$2" && return 0
	echo "# no \"$1\" in:"
	head -n 20 "$tmp/$2" | sed 's/^/# /'
	return 1
}

# nasty_tree: everything that can be read has it
nasty_tree() {
	pci 0000:00:03.1 0x8086 0x09a7
	echo "D3$nasty" >"$root/sys/bus/pci/devices/0000:00:03.1/power_state"
	discovery 0
	for file in owner mode platform fingerprint; do
		echo "$file$nasty" >"$root/sys/class/pmon/pkg0-uncore0/$file"
	done
	unit 0 6 "imc$nasty" 0 "mmio$nasty" "0x1$nasty" "4$nasty" 48 \
		"uncore_imc${nasty}_0" "owner$nasty"
	unit 0 "wrong$nasty"
	rejected 0 "6$nasty" "4$nasty" "width$nasty" "0x7f$nasty" "wide $nasty"
	tpmi 0 "mode$nasty"
	domain 0 0 "0-1$nasty"
	core 0 0 0 "0-1$nasty" "POWER$nasty"
	put "pkg0-dom0/plr/mesh1$nasty/reasons" POWER
	put "pkg0-dom0/plr/mesh2$nasty/reasons" "HEAT$nasty"
	put pkg0-dom0/plr/die/reasons "POWER$nasty"
	installed pmon_uncore
	echo "6.0$nasty" >"$root/proc/sys/kernel/osrelease"
	echo "2$nasty" >"$root/proc/sys/kernel/perf_event_paranoid"
}

a nasty_tree
run 1 list && clean && shows "Platform platform$nice: " out &&
	shows "imc$nice  0 " out && shows "uncore_imc${nice}_0" out &&
	shows "package 0 type 6$nice id 4$nice: width$nice = 0x7f$nice, wide $nice" out &&
	shows "left to owner$nice, " out && shows "0-1$nice" out &&
	shows "line not understood: \"wrong$nice\"" err
verdict $? "output: list"
run 1 doctor --verbose && clean && shows "asleep (D3$nice)" out &&
	shows "left to owner$nice" out && shows "die says: POWER$nice" out &&
	shows "for kernel 6.0$nice" out && shows "is 2$nice)" out
verdict $? "output: doctor"
at=$root/sys/bus/pci/devices/0000:00:03.1
ln -sfn "../driver$nasty" "$at/driver"
: >"$at/power_state"
run 1 doctor --verbose && clean && shows "present, driver driver$nice" out
verdict $? "output: doctor, where a link leads"
run 1 plr && clean && shows "mesh1$nice " out && shows "mesh2$nice" out &&
	shows "pkg0-dom0/plr/die/reasons" err
verdict $? "output: plr"
rm "$(class)/pkg0-dom0/plr/mesh2$nasty/reasons"
rm "$(class)/pkg0-dom0/plr/die/reasons"
put pkg0-dom0/plr/die/reasons POWER
put pkg0-dom0/plr/core0/reasons POWER
run 1 plr && clean && shows "plr/mesh2$nice/reasons: No such file" err
verdict $? "output: plr, the name of a file in a message"

for command in list doctor plr; do
	a nasty_tree
	run 1 $command --json && clean && json_has <<-'END'
	nasty = "\x1b[2J\x1b]0;x\x07\ufffd\x85\x7f" + "\ufffd" * 4 + "\u202e"
	def texts(x):
	    if isinstance(x, dict):
	        x = list(x.values())
	    if isinstance(x, list):
	        return [t for v in x for t in texts(v)]
	    return [x] if isinstance(x, str) else []
	assert sum(t.count(nasty) for t in texts(m)) >= 3, texts(m)
	END
	verdict $? "output: $command --json"
done

a nasty_tree
live pmon
live pmon_uncore
live intel_uncore
: >"$(class)/pkg0-uncore0/pmus"
pmu "uncore_a$nasty" "event$nasty=config:0-7"
their_event "uncore_a$nasty" "read$nasty" event=1
ours pmu "uncore_a$nasty" -
ours pmu "uncore_b$nasty" "uncore_c$nasty"
ours format event config:0-7
run 2 adopt --dry-run uncore && clean && shows "uncore_a$nice  " out &&
	shows "term event$nice is lost, event read$nice is lost" out &&
	shows "uncore_b$nice" out
verdict $? "output: adopt"

new_tree
uptime 1036800
passing <<-'END'
[ "$2" -lt 2000 ] || kill $PPID
END
domain 0 0 0-1
put "pkg0-dom0/plr/mesh1$nasty/reasons" POWER
for part in die mesh0 "mesh1$nasty"; do
	put "pkg0-dom0/plr/$part/time_in_reason" 'observed 1 1036800000 1'
done
echo 'POWER 1 1036800000 1' >>"$(class)/pkg0-dom0/plr/mesh1$nasty/time_in_reason"
run_test 0 plr --watch && clean && shows "0/0/mesh1$nice: POWER" out
verdict $? "output: plr --watch"
run_test 0 plr --watch --json && clean && is_json && shows '"name": "mesh1\u001B[2J' out
verdict $? "output: plr --watch --json"

# A value with a line of its own in it does not look like one of ours.
a spr
printf 'spr\nPlatform gnr: 9 packages\n' >"$(class)/pkg0-uncore0/platform"
run 0 list && [ "$(grep -c '^Platform' "$tmp/out")" = 1 ] &&
	shows 'Platform spr\x0aPlatform gnr: 9 packages: 1 package' out
verdict $? "output: a line within a value"
run 0 list --json && is_json
verdict $? "output: a line within a value, as JSON"

# What is text stays what it is, where the locale has it.
export LC_ALL=C.UTF-8
put pkg0-uncore0/platform 'Zwölf "größer" \ 한국 😀'
run 0 list && shows 'Platform Zwölf "größer" \ 한국 😀: ' out
verdict $? "output: other alphabets"
run 0 list --json && clean && json_has <<-'END'
	assert m["devices"][0]["platform"] == 'Zwölf "größer" \\ 한국 😀'
END
verdict $? "output: other alphabets, as JSON"

# Bytes that are no UTF-8, each as they can be wrong; the last is one that is
# right, and not shown.
for bytes in '\200' '\300\200' '\301\277' '\302' '\302x' '\340\200\200' \
	'\355\277\277' '\342\202' '\360\200\200\200' '\364\220\200\200' \
	'\367\277\277\277' '\370\210\200\200\200' '\376' \
	'\363\240\201\201'; do
	# shellcheck disable=SC2059 # they are to be understood
	printf "a${bytes}b" >"$(class)/pkg0-uncore0/platform"
	run 0 list && clean && shows 'Platform a\x' out &&
		run 0 list --json && clean && is_json
	verdict $? "output: bytes$(printf %s "$bytes" | tr -c 0-9 ' ')"
done

awk 'BEGIN { printf "6 "; for (i = 0; i < 1000000; i++) printf "x"
	print " 0 mmio 0x1 4 48 - -"
	for (i = 0; i < 200; i++) print "6 imc" i " 0 mmio 0x1 4 48 - -" }' \
	>"$(class)/pkg0-uncore0/units"
run 0 list && [ "$(wc -c <"$tmp/out")" -lt 20000000 ]
verdict $? "output: a word of a million letters is cut"

"$PMONCTL" --sysroot "$tmp/$nasty" list >"$tmp/out" 2>"$tmp/err"
[ $? = 64 ] && clean && shows "$nice: No such file" err
verdict $? "output: the directory of --sysroot"
for word in "$nasty" "--$nasty" "-$nasty"; do
	run 64 "$word" && clean
	verdict $? "output: an argument"
done

# There is one way to print, so that there is none around it.
! grep -nE '\b(v?f?printf|f?puts|f?putc|putchar|fputc|f?write|perror|psignal)\(' \
	"$here"/../*.c | grep -vE '/(output|files|sysfs)\.c:'
verdict $? "output: nothing is printed but by output.c"
# The job of plr -- JOB is looked for as env(1) would.
! grep -nE '\b(popen|system|exec[lv]p?e?|posix_spawnp)\(' "$here"/../*.c |
	grep -vE '/process\.c:.*posix_spawnp'
verdict $? "output: no shell, and no search for programs"
