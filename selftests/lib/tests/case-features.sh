# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# Tests of include/compat/features over made-up headers and Module.symvers.

old=$tmp/old
new=$tmp/new
mkdir -p "$old"/{linux/device,asm,trace/stages} "$new/linux"
touch "$old/linux/kernel.h"

# features DIR...: print the features of these directories
features() {
	local dir

	for dir; do set -- "$@" "-I$dir"; shift; done
	sh "$root/include/compat/features" "$tmp" "$@" -include foo.h |
		sed -n 's/^-DCOMPAT_HAS_\(.*\)=1$/\1/p' | tr '\n' ' '
}

# These declarations only resemble the interfaces that `features` finds.
cat >"$old/linux/sysfs.h" <<'C'
	ssize_t (*read)(struct file *, struct kobject *, struct bin_attribute *,
	ssize_t (*read_new)(struct file *, struct kobject *, const struct bin_attribute *,
C
cat >"$old/linux/kobject.h" <<'C'
void kobject_get_ownership(const struct kobject *kobj, kuid_t *uid, kgid_t *gid);
	void (*get_ownership)(struct kobject *kobj, kuid_t *uid, kgid_t *gid);
C
echo '	void (*get_ownership)(struct device *dev, kuid_t *uid, kgid_t *gid);' \
	>"$old/linux/device/class.h"
echo '#define __assign_str(dst, src)' >"$old/trace/stages/stage6_event_callback.h"
echo 'void hrtimer_setup_sleeper_on_stack(struct hrtimer_sleeper *sl,' \
	>"$old/linux/hrtimer.h"
is "$(features "$old" "$new")" '' 'features: old headers have none'
is "$(sh "$root/include/compat/features" "$tmp" "-I$old" | grep -c '=0$')" \
	"$(grep -cE '^(has|exports) ' "$root/include/compat/features")" \
	'features: each is 0 then'

echo 'extern void hrtimer_setup(struct hrtimer *timer,' >"$new/linux/hrtimer.h"
is "$(features "$old" "$new")" '' 'features: the first header of a name counts'
is "$(features "$new" "$old")" 'HRTIMER_SETUP ' 'features: a backport to old headers'

symbol() {
	printf '0x00000000\te820__mapped_raw_any\tvmlinux\tEXPORT_SYMBOL_GPL\t%s\n' \
		"$1" >"$tmp/Module.symvers"
}
symbol ''
is "$(features "$old")" 'E820_RAW ' 'features: a symbol that every module may use'
symbol 'module:kvm,kvm-amd,kvm-intel'
is "$(features "$old")" '' 'features: a symbol for other modules'
is "$(sh "$root/include/compat/features" "$tmp" "-I$new"; echo $?)" 1 \
	'features: no headers of a kernel'
rm "$tmp/Module.symvers"

# For a kernel without headers, the message of `make` has the commands to run next.
out=$(make -s -C "$root" modules KVER=6.1.999-none 2>&1) && rc=0 || rc=$?
is "$rc $(grep -c 'kernel 6.1.999-none has no headers in .*: apt-get update.*make KVER=6.1|' <<<"$out")" \
	'2 1' 'make: a kernel without headers, and what to do'
