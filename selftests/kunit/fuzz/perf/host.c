// SPDX-License-Identifier: GPL-2.0-only
/*
 * Disturb the guest by other means than events: read and write files, load and
 * unload modules, bind and unbind drivers, remove PCI functions, take CPUs
 * offline, and change the emulated hardware. CPU 0 and the disk stay.
 */
#include <sys/stat.h>

#include "fuzz.h"

#define PATH		320
#define MAX_CPUS	64
#define AUXILIARY	"/sys/bus/auxiliary"
#define POWER		"/sys/module/power/parameters/set"
/* The kernel's driver of PCI functions with discovery tables. */
#define VSEC		PCI "/drivers/intel_vsec"
/* Sizes of the emulated machine; bench() fails for other numbers. */
#define PACKAGES	2
#define DOMAINS		2
#define PLR_MODULES	5

/* ---- files ----------------------------------------------------------------- */

static const struct {
	unsigned int percent;
	const char *pattern;
} roots[] = {
	{ 50, "/sys/class/pmon/*/." },
	{ 5, PMUS "/plr/." },
	{ 20, PMUS "/uncore_*/." },
	{ 8, CPUS "/cpu*/plr/." },
	{ 5, "/sys/module/{pmon,pmon_uncore,pmon_plr}" },
	{ 12, "/sys/kernel/tracing/events/pmon" },
};

static const struct {
	const char *name, *value[12];
} values[] = {
	{ "interval_ms", { "0", "0", "1", "10", "100", "1000", "3600000", "-1", "x", "" } },
	{ "gate", { "all", "none", "POWER", "THERMAL MISC", "POWER_FAST_RAPL", "x", "" } },
	{ "clear", { "all", "all", "THERMAL", "POWER THERMAL", "RSVD_FINE31", "NOTHING", "" } },
	{ "enable", { "0", "1", "0", "1", "2", "" } },
	{ "filter", { "0", "package == 0", "coarse & 4 || fine > 1", "scope == \"die\"", "(((" } },
	{ "trigger", { "hist:keys=package,module:vals=coarse",
		       "!hist:keys=package,module:vals=coarse", "stacktrace:5",
		       "!stacktrace:5", "traceon if coarse > 0", "!traceon", "nothing" } },
	{ "uevent", { "add", "change", "remove", "nothing" } },
	{ "control", { "auto", "on", "off" } },
};

static bool is_directory(const char *path)
{
	struct stat s;

	return !lstat(path, &s) && S_ISDIR(s.st_mode);
}

/* Choose a file below one of roots[], without following links. */
static bool random_file(char *path)
{
	unsigned int n = below(100), i, depth;

	for (i = 0; n >= roots[i].percent; i++)
		n -= roots[i].percent;
	if (!random_path(path, PATH - 2, roots[i].pattern))
		return false;
	for (depth = 0; depth < 4 && is_directory(path); depth++) {
		strcat(path, "/*");
		if (!random_path(path, PATH - 2, path))
			return false;
	}
	return depth < 4;
}

static bool is_left_out(const char *path)
{
	const char *name = strrchr(path, '/') + 1;
	struct stat s;

	return lstat(path, &s) || !S_ISREG(s.st_mode) ||
	       !strcmp(name, "perf_event_mux_interval_ms");
}

/* Choose a value of the file, or random bytes. */
static size_t random_value(const char *path, char *text, size_t size)
{
	const char *name = strrchr(path, '/') + 1;
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(values); i++) {
		if (strcmp(name, values[i].name) || odds(10))
			continue;
		for (n = 0; n < ARRAY_SIZE(values[i].value) && values[i].value[n]; n++)
			;
		return snprintf(text, size, "%s%s", values[i].value[below(n)],
				odds(50) ? "\n" : "");
	}
	n = below(odds(90) ? 24 : size);
	for (i = 0; i < n; i++)
		text[i] = odds(50) ? '0' + below(10) : any_number();
	return n;
}

static long op_read_file(void)
{
	char path[PATH], data[8192];
	size_t size = 1 + below(odds(70) ? sizeof(data) : 16);
	long ret;
	int fd;

	if (!random_file(path) || is_left_out(path))
		return -1;
	doing("read %s", path);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -1;
	ret = odds(10) ? pread(fd, data, size, odd_number() >> 1) : read(fd, data, size);
	/* Wait at times, so that the device may be removed while its file is open. */
	if (odds(20)) {
		nap_us(below(50000));
		ret = pread(fd, data, size, 0);
	}
	close(fd);
	return ret;
}

static long op_write_file(void)
{
	char path[PATH], text[4096];
	size_t size;
	long ret;
	int fd;

	if (!random_file(path) || is_left_out(path))
		return -1;
	size = random_value(path, text, sizeof(text) - 2);
	text[size] = 0;
	doing("write %.80s to %s", text, path);
	fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -1;
	ret = write(fd, text, size);
	close(fd);
	return ret;
}

struct op file_ops[] = {
	{ "read-file", 40, op_read_file }, { "write-file", 25, op_write_file },
	{ }
};

/* ---- modules --------------------------------------------------------------- */

/* The modules, in the order in which they load. */
enum { CORE, UNCORE, PLR, MODULES };

static const char *const modules[MODULES] = { "pmon", "pmon_uncore", "pmon_plr" };

static int unload(unsigned int module)
{
	return syscall(SYS_delete_module, modules[module], O_NONBLOCK);
}

static long load(unsigned int module)
{
	static const char *const parameters[MODULES][8] = {
		{ "gid=1", "gid=65534", "gid=-1", "mode=x", "unknown=1", "", "", "" },
		{ "names=30:cha", "names=0:imc,6:cha", "names=x", "names=:,:",
		  "mode=off", "mode=observe", "generic=1", "mode=x" },
		{ "mode=off", "mode=observe", "mode=on", "mode=x", "mode=", "generic=1",
		  "generic=x", "unknown=1" },
	};
	const char *text = odds(60) ? "" : PICK(parameters[module]);

	doing("load %s %s", modules[module], text);
	if (!module_load(modules[module], text))
		return 0;
	/* No other module loads without pmon, so load pmon again without parameters. */
	return module == CORE ? module_load(modules[CORE], "") : -1;
}

/* Unload a module. Retry while events hold it, since a truce closes all events. */
static long unload_in_truce(unsigned int module)
{
	unsigned int tries = 200;
	long ret;

	doing("unload %s", modules[module]);
	while ((ret = unload(module)) && errno == EAGAIN && --tries && !shared->stop)
		nap_us(2000);
	return ret;
}

static long op_reload(void)
{
	static unsigned int truces;
	bool core = odds(40);
	unsigned int which = core ? 3 : 1 + below(3), m;
	long ret = 0;

	shared->truce = ++truces;
	for (m = PLR; m > CORE; m--)
		if (which & m)
			ret |= unload_in_truce(m);
	if (core)
		ret |= unload_in_truce(CORE);
	if (odds(50))
		shared->truce = 0;
	nap_us(below(50000));
	if (core)
		load(CORE);
	for (m = UNCORE; m < MODULES; m++)
		if (which & m)
			load(m);
	shared->truce = 0;
	return ret;
}

static long op_load(void)
{
	return load(below(MODULES));
}

static long op_unload(void)
{
	unsigned int module = below(MODULES);

	doing("unload %s", modules[module]);
	return unload(module);
}

struct op reload_ops[] = {
	{ "reload", 6, op_reload }, { "load", 3, op_load }, { "unload", 3, op_unload },
	{ }
};

/* ---- devices --------------------------------------------------------------- */

/* PCI functions in cases/engine/fuzz-perf.sh: some have discovery tables, some have units. */
static const char *const tables[] = { "0000:00:03.1", "0000:80:03.1" };
static const char *const units[] = {
	"0000:00:03.0", "0000:80:03.0", "0000:7e:01.0", "0000:7e:01.1", "0000:fe:02.1",
	"0000:7e:05.0", "0000:fe:06.0",
};

static long op_bind(void)
{
	const char *name = PICK(tables);

	doing("unbind and bind %s", name);
	write_text(name, VSEC "/unbind");
	nap_us(below(50000));
	return put_text(name, VSEC "/bind");
}

/*
 * Suspend a function by runtime PM, if its driver permits
 * (selftests/guest/modules/power.c). The driver can prevent the suspend, so any
 * access in D3 is an error.
 */
static long op_asleep(void)
{
	const char *name = PICK(tables);
	char text[32];

	doing("%s asleep and awake", name);
	snprintf(text, sizeof(text), "%s %ums", name, below(100));
	return put_text(text, POWER);
}

static long op_bind_auxiliary(void)
{
	const char *driver, *name;
	char path[128];

	if (!random_path(path, sizeof(path), AUXILIARY "/devices/{*.tpmi-plr,*.tpmi.}*"))
		return -1;
	name = strrchr(path, '/') + 1;
	driver = strstr(name, ".tpmi-plr") ? "pmon_plr.plr" : "intel_vsec_tpmi";
	doing("unbind and bind %s", name);
	write_text(name, AUXILIARY "/drivers/%s/unbind", driver);
	nap_us(below(50000));
	return put_text(name, AUXILIARY "/drivers/%s/bind", driver);
}

struct op bind_ops[] = {
	{ "bind", 5, op_bind }, { "bind-auxiliary", 6, op_bind_auxiliary },
	{ "asleep", 3, op_asleep },
	{ }
};

/*
 * Let only one worker at a time scan the PCI bus or hide functions, because a
 * function that is absent during a scan gets no addresses.
 */
static bool take_bus(void)
{
	return !__atomic_exchange_n(&shared->scanning, true, __ATOMIC_ACQUIRE);
}

static void release_bus(void)
{
	__atomic_store_n(&shared->scanning, false, __ATOMIC_RELEASE);
}

static long op_remove(void)
{
	const char *name = odds(40) ? PICK(tables) : PICK(units);

	doing("remove %s", name);
	return put_text("1", PCI "/devices/%s/remove", name);
}

static long op_rescan(void)
{
	long ret;

	doing("rescan");
	while (!take_bus() && !shared->stop)
		nap_us(5000);
	ret = put_text("1", PCI "/rescan");
	release_bus();
	return ret;
}

struct op scan_ops[] = {
	{ "remove", 1, op_remove }, { "rescan", 1, op_rescan },
	{ }
};

static void restore_devices(void)
{
	unsigned int i;

	write_text("1", PCI "/rescan");
	for (i = 0; i < ARRAY_SIZE(tables); i++) {
		write_text(tables[i], VSEC "/unbind");
		write_text(tables[i], PCI "/drivers_probe");
	}
}

/* ---- hardware, by the bench of the emulated machine ------------------------- */

__attribute__((format(printf, 1, 2)))
static long hw(const char *fmt, ...)
{
	char text[160], answer[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	doing("hw %s", text);
	return bench(text, answer, sizeof(answer)) ? 0 : -1;
}

/* Run @each for every unit, or only for unit @chosen if it is not negative. */
static void for_units(int chosen, void (*each)(const char *box, unsigned int counters))
{
	static char answer[BENCH_BYTES / 4];
	unsigned int package, type, id, counters;
	char *line, *rest, box[40];
	int n = 0;

	if (!bench("units", answer, sizeof(answer)))
		return;
	for (line = strtok_r(answer, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		if (sscanf(line, "pkg=%u type=%u id=%u access=%*s address=%*s counters=%u",
			   &package, &type, &id, &counters) != 4)
			continue;
		snprintf(box, sizeof(box), "box %u/%u/%u", package, type, id);
		if (chosen < 0 || chosen == n++)
			each(box, counters);
	}
}

static void disturb_box(const char *box, unsigned int counters)
{
	unsigned int counter = below(counters + 1);
	uint64_t value = odd_number();

	switch (below(6)) {
	case 0:
		hw("%s dead", box);
		nap_us(below(100000));
		if (odds(80))
			hw("%s ok", box);
		break;
	case 1:
		hw("%s preload %u %#lx", box, counter, value);
		break;
	case 2:
		hw("%s rate %u %lu", box, counter, 1 + value % 8000);
		break;
	case 3:
		hw("%s poke ctl %u %#lx", box, counter, value & 0xffffffff);
		break;
	case 4:
		hw("%s poke box %#lx", box, value & 0x703);
		break;
	default:
		hw("%s ok", box);
		break;
	}
}

static void mend_box(const char *box, unsigned int counters)
{
	(void)counters;
	hw("%s ok", box);
}

static long op_box(void)
{
	for_units(below(64), disturb_box);
	return 0;
}

static long op_limits(void)
{
	unsigned int package = below(PACKAGES), domain = below(DOMAINS);
	const char *assign = odds(30) ? "=" : "";
	uint64_t value = odd_number();

	switch (below(5)) {
	case 0:
		return hw("die %u/%u %s%#lx", package, domain, assign, value & 0xffffffff);
	case 1:
		return hw("mesh %u/%u/0 %s%#lx", package, domain, assign, value);
	default:
		return hw("plr %u/%u/%u %s%#lx", package, domain, below(PLR_MODULES), assign,
			  value);
	}
}

static long op_mailbox(void)
{
	static const char *const modes[] = {
		"ok", "ok", "stuck", "blocked", "noclear", "slow 0", "slow 2000",
		"slow 300000", "agent 3", "agent 0", "mesh busy", "mesh ones", "mesh ok",
	};

	return hw("mailbox %u/%u %s", below(PACKAGES), below(DOMAINS), PICK(modes));
}

static const unsigned int features[] = { 0x0c, 0x0c, 0, 1, 2, 5, 0x80, 0x81 };

static long op_feature(void)
{
	static const char *const states[] = { "ok", "read-blocked", "write-blocked", "disabled" };

	return hw("feature %u %u %s", below(PACKAGES), PICK(features), PICK(states));
}

static long op_vanish(void)
{
	unsigned int package = below(PACKAGES);
	long ret;

	if (!take_bus())
		return -1;
	hw("remove %u", package);
	nap_us(below(100000));
	ret = hw("insert %u", package);
	release_bus();
	return ret;
}

static void mend_package(unsigned int package)
{
	unsigned int domain, i;

	hw("insert %u", package);
	/*
	 * Free the control mailbox, which the host still owns if the function
	 * vanished during a command.
	 */
	hw("control %u free", package);
	for (i = 0; i < ARRAY_SIZE(features); i++)
		hw("feature %u %u ok", package, features[i]);
	for (domain = 0; domain < DOMAINS; domain++) {
		hw("mailbox %u/%u ok", package, domain);
		hw("mailbox %u/%u slow 2000", package, domain);
		hw("die %u/%u =0", package, domain);
		hw("mesh %u/%u/0 =0", package, domain);
		for (i = 0; i < PLR_MODULES; i++)
			hw("plr %u/%u/%u =0", package, domain, i);
	}
}

static long op_mend(void)
{
	unsigned int package;

	for (package = 0; package < PACKAGES; package++)
		mend_package(package);
	for_units(-1, mend_box);
	return 0;
}

struct op hardware_ops[] = {
	{ "box", 10, op_box }, { "limits", 12, op_limits }, { "mailbox", 4, op_mailbox },
	{ "feature", 2, op_feature }, { "vanish", 2, op_vanish }, { "mend", 2, op_mend },
	{ }
};

/* ---- CPUs ------------------------------------------------------------------- */

static int package_of[MAX_CPUS];
static unsigned int nr_cpus;

static long set_online(unsigned int cpu, bool online)
{
	return put_text(online ? "1" : "0", CPUS "/cpu%u/online", cpu);
}

/* @package: -1 for all */
static long set_package(int package, bool online)
{
	unsigned int cpu;

	doing("package %d %s", package, online ? "on" : "off");
	for (cpu = 1; cpu < nr_cpus; cpu++)
		if (package < 0 || package_of[cpu] == package)
			set_online(cpu, online);
	return 0;
}

static long op_cpu(void)
{
	unsigned int cpu = 1 + below(nr_cpus - 1);
	long ret;

	doing("CPU %u off and on", cpu);
	ret = set_online(cpu, false);
	nap_us(below(20000));
	return odds(30) ? ret : set_online(cpu, true);
}

static long op_package(void)
{
	int package = package_of[1 + below(nr_cpus - 1)];

	set_package(package, false);
	nap_us(below(100000));
	return odds(30) ? 0 : set_package(package, true);
}

static long op_all_cpus(void)
{
	return set_package(-1, true);
}

struct op cpu_ops[] = {
	{ "cpu", 10, op_cpu }, { "package", 2, op_package }, { "all-cpus", 3, op_all_cpus },
	{ }
};

/* Restore hardware, CPUs and devices to their state at the start. */
void host_restore(void)
{
	op_mend();
	set_package(-1, true);
	restore_devices();
}

void host_setup(void)
{
	char text[16];

	/* Read package IDs while all CPUs are online, as offline CPUs have no topology. */
	while (nr_cpus < MAX_CPUS &&
	       read_text(text, sizeof(text), CPUS "/cpu%u/topology/physical_package_id",
			 nr_cpus))
		package_of[nr_cpus++] = atoi(text);
	/* An oops leaves locks behind, and the guest would hang. */
	write_text("1", SYSCTL "panic_on_oops");
	/* More samples would only measure how slow an emulated CPU is. */
	write_text("2000", SYSCTL "perf_event_max_sample_rate");
}
