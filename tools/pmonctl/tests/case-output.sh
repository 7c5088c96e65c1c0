# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154,SC2034,SC2016
# Test control characters in files and names: output has no terminal sequences, JSON is valid.

# $nasty has two terminal sequences, control characters of one byte and two, bytes that are not
# UTF-8, and a character that reverses text. $nice is the escaped form that pmonctl prints.
nasty=$(printf '\033[2J\033]0;x\007\233\302\205\177\377\355\240\200\342\200\256')
nice='\x1b[2J\x1b]0;x\x07\x9b\xc2\x85\x7f\xff\xed\xa0\x80\xe2\x80\xae'

# clean [TEXT...]: are standard output and error printable, and is each TEXT in one of them, with
# $nice in the place of %?
clean() {
	strange=$(cat "$tmp/out" "$tmp/err" | LC_ALL=C tr -d ' -~\n' | od -An -c | head -n 1)
	for each; do
		filled "$each" "$nice"
		grep -qF -- "$filled" "$tmp/out" "$tmp/err" || strange="${strange}no $each"
	done
	[ -z "$strange" ] || { echo "# printed as it is: $strange"; shown out; }
}
# nasty_tree: make a tree with $nasty in each name or text
nasty_tree() {
	discovery_function
	put 0000:00:03.1/power_state "D3$nasty"
	discovery 0
	for file in owner mode platform fingerprint; do
		put pkg0-uncore0/$file "$file$nasty"
	done
	unit 0 6 "imc$nasty" 0 "mmio$nasty" "0x1$nasty" "4$nasty" 48 \
		"uncore_imc${nasty}_0" "owner$nasty"
	unit 0 "wrong$nasty"
	put pkg0-uncore0/rejected "6$nasty 4$nasty width$nasty 0x7f$nasty wide $nasty"
	tpmi "mode$nasty"
	domain 0 0 "0-1$nasty"
	core 0 0 0 "0-1$nasty" "POWER$nasty"
	put "pkg0-dom0/plr/mesh1$nasty/reasons" POWER
	put "pkg0-dom0/plr/mesh2$nasty/reasons" "HEAT$nasty"
	put pkg0-dom0/plr/die/reasons "POWER$nasty"
	installed pmon_uncore
	put proc/sys/kernel/osrelease "6.0$nasty"
	paranoid "2$nasty"
}
# adoptable: add PMUs of both drivers with $nasty in their names
adoptable() {
	nasty_tree
	live pmon pmon_uncore intel_uncore
	pmu "uncore_a$nasty" "event$nasty=config:0-7"
	put "uncore_a$nasty/events/read$nasty" event=1
	put pkg0-uncore0/pmus "pmu uncore_a$nasty -" "pmu uncore_b$nasty uncore_c$nasty" \
		'format event config:0-7'
}
# watched: make a domain that is watched, with one limited mesh
watched() {
	put proc/uptime 1036800.00
	passing 2000 </dev/null
	domain 0 0 0-1
	put "pkg0-dom0/plr/mesh1$nasty/reasons" POWER
	for part in die mesh0 "mesh1$nasty"; do
		put "pkg0-dom0/plr/$part/time_in_reason" 'observed 1 1036800000 1'
	done
	echo 'POWER 1 1036800000 1' >>"$class/pkg0-dom0/plr/mesh1$nasty/time_in_reason"
}

rows <<'END'
output: list | : a nasty_tree | 1 list | : clean 'Platform platform%: ' 'imc%  0 ' 'imc%_0'
	'socket 0 type 6% id 4%: width% = 0x7f%, wide %' 'left to owner%; ' '0-1%' ': "wrong%"'
output: doctor | 1 doctor --verbose |
	: clean 'asleep (D3%)' 'left to owner%' 'of the die: POWER%' 'for kernel 6.0%' 'is 2%)'
output: doctor, where a link leads | : put 0000:00:03.1/power_state '';
	ln -s "../driver$nasty" "$functions/0000:00:03.1/driver" |
	1 doctor --verbose | : clean 'present, driver driver%'
output: plr | 1 plr | : clean 'mesh1% ' 'mesh2%' pkg0-dom0/plr/die/reasons
output: plr, the name of a file in a message | : unreadable "$class/pkg0-dom0/plr/mesh2$nasty/reasons";
	put pkg0-dom0/plr/die/reasons POWER; put pkg0-dom0/plr/core0/reasons POWER | 1 plr |
	: clean 'plr/mesh2%/reasons: Is a directory'
output: % --json | : a nasty_tree | 1 % --json | : clean
% list doctor plr
= nasty = r"\x1b[2J\x1b]0;x\x07\x9b\xc2\x85\x7f\xff\xed\xa0\x80\xe2\x80\xae"
= def texts(x):
=     x = list(x.values()) if isinstance(x, dict) else x
=     return [x] if isinstance(x, str) else \
=         [t for v in x for t in texts(v)] if isinstance(x, list) else []
= assert sum(t.count(nasty) for t in texts(m)) >= 3, texts(m)
output: adopt | : a adoptable | 2 adopt --dry-run uncore |
	: clean 'uncore_a%  ' 'uncore_b%' 'term event% is lost, event read% is lost'
output: plr --watch | : a watched | 0 plr --watch |
	: clean '0/0/mesh1%: POWER'
output: plr --watch --json | 0 plr --watch --json | : clean '"name": "mesh1\\x1b[2J' | : is_json
# A line feed in a value begins no line of the output.
output: a line within a value |
	: a spr; put pkg0-uncore0/platform spr 'Platform gnr: 9 packages' | 0 list |
	Platform spr\\x0aPlatform gnr: 9 packages: 1 socket* | ! Platform gnr*
output: a line within a value, as JSON | 0 list --json | : is_json
END
# In a locale of UTF-8, text is printed unchanged.
export LC_ALL=C.UTF-8
rows <<'END'
output: other alphabets | : put pkg0-uncore0/platform 'Zwölf "größer" \ 한국 😀' | 0 list |
	Platform Zwölf "größer" \\ 한국 😀: *
output: other alphabets, as JSON | 0 list --json
= assert m["devices"][0]["platform"] == 'Zwölf "größer" \\ 한국 😀'
# The words have all kinds of invalid UTF-8; the last is a valid character that is not printable.
output: bytes % | : printf 'a%b' >"$class/pkg0-uncore0/platform" | 0 list | : clean 'Platform a\x' |
	: run 0 list --json && clean && is_json
% '\200' '\300\200' '\301\277' '\302' '\302x' '\340\200\200' '\355\277\277' '\342\202'
% '\360\200\200\200' '\364\220\200\200' '\367\277\277\277' '\370\210\200\200\200' '\376'
% '\363\240\201\201'
output: an argument | 64 '%' | : clean
% "$nasty" "--$nasty" "-$nasty"
END
awk 'BEGIN { printf "6 "; for (i = 0; i < 1000000; i++) printf "x"
	print " 0 mmio 0x1 4 48 - -"
	for (i = 0; i < 200; i++) print "6 imc" i " 0 mmio 0x1 4 48 - -" }' \
	>"$class/pkg0-uncore0/units"
run 0 list && grep -qE '^x{16}\.\.\.  ' "$tmp/out" && [ "$(grep -c '^imc' "$tmp/out")" = 200 ] &&
	[ "$(awk 'length > most { most = length } END { print most + 0 }' "$tmp/out")" -le 100 ]
verdict $? "output: a word of a million letters is cut, and widens no other row"

# All output goes through output.c, which escapes it.
! grep -nE '\b(v?f?printf|f?puts|f?putc|putchar|fputc|f?write|perror|psignal)\(' \
	"$here"/../*.c | grep -vE '/(output|files|sysfs)\.c:'
verdict $? "output: nothing is printed but by output.c"
# Only `stat -- JOB` searches PATH for a program, as env(1) does.
! grep -nE '\b(popen|system|exec[lv]p?e?|posix_spawnp)\(' "$here"/../*.c |
	grep -vE '/process\.c:.*posix_spawnp'
verdict $? "output: no shell, and no search for programs"
