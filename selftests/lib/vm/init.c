// SPDX-License-Identifier: GPL-2.0-only
/*
 * PID 1 of the test guest: mount, wait for a byte from the host, load drivers,
 * run a command, power off. A guest saved during the wait can be continued many
 * times, with different files and commands.
 *
 * Send standard output and error of the command in frames through the second serial
 * port. This keeps them apart, binary clean, and free of the kernel's lines:
 *
 *	u8 type; u8 length[4] (little endian); u8 data[length]
 *
 * Types: 'o' standard output, 'e' standard error, 'i' illegal register
 * accesses, 'l' memory leaks, 'n' results of /vm/last (last.sh), 's' setup failed,
 * 'x' exit status, 'd' done, 'c' an archive of coverage, 'r' ready for the byte.
 * The host skips firmware's output, up to PREAMBLE.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "unpack.h"

#define PREAMBLE "\001openpmon\n"
#define CHANNEL "/dev/ttyS1"
#define CONSOLE "/dev/console"

static int channel = -1;

static const struct {
	const char *type, *dir, *options;
} mounts[] = {
	{ "proc", "/proc", NULL },
	{ "sysfs", "/sys", NULL },
	{ "devtmpfs", "/dev", NULL },
	{ "debugfs", "/sys/kernel/debug", NULL },
	{ "tracefs", "/sys/kernel/tracing", NULL },
	{ "devpts", "/dev/pts", NULL },
	{ "tmpfs", "/tmp", "mode=1777" },
	{ "tmpfs", "/run", "mode=755" },
};

static void write_all(int fd, const void *data, size_t len)
{
	const char *p = data;

	while (len) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		p += n;
		len -= n;
	}
}

static void frame(char type, const void *data, uint32_t len)
{
	uint8_t head[5] = { type, len, len >> 8, len >> 16, len >> 24 };

	if (channel < 0)
		return;
	write_all(channel, head, sizeof(head));
	write_all(channel, data, len);
}

static void say(const char *text)
{
	frame('e', text, strlen(text));
}

static void mount_all(void)
{
	for (size_t i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		mkdir(mounts[i].dir, 0755);
		mount(mounts[i].type, mounts[i].dir, mounts[i].type, 0,
		      mounts[i].options);
	}
}

/*
 * Take the other CPUs online. A kernel with checkers boots with maxcpus=1, because
 * all CPUs tick in one thread of the host until the kernel has selected a clock.
 */
static void online_cpus(void)
{
	char path[64];

	for (unsigned int n = 1;; n++) {
		char online = 0;
		int fd;

		snprintf(path, sizeof(path),
			 "/sys/devices/system/cpu/cpu%u/online", n);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			return;
		if (read(fd, &online, 1) == 1 && online == '0')
			write_all(fd, "1", 1);
		close(fd);
	}
}

static void open_channel(void)
{
	struct termios t;

	channel = open(CHANNEL, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (channel < 0)
		return;
	tcgetattr(channel, &t);
	cfmakeraw(&t);
	t.c_cflag |= CLOCAL;
	cfsetspeed(&t, B115200);
	tcsetattr(channel, TCSANOW, &t);
	write_all(channel, PREAMBLE, strlen(PREAMBLE));
}

static pid_t start(char *const argv[], int out, int err, const sigset_t *mask)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	sigprocmask(SIG_SETMASK, mask, NULL);
	setsid();
	dup2(open("/dev/null", O_RDONLY), 0);
	dup2(out, 1);
	dup2(err, 2);
	chdir("/root");
	execv(argv[0], argv);
	_exit(127);
}

/* Pass on the available output; at the end of the stream close the descriptor. */
static void relay(struct pollfd *p, char type)
{
	char buf[16384];
	ssize_t n;

	while (p->fd >= 0) {
		n = read(p->fd, buf, sizeof(buf));
		if (n > 0) {
			frame(type, buf, n);
			continue;
		}
		if (n == 0) {
			close(p->fd);
			p->fd = -1;
		}
		return;
	}
}

/*
 * Reap all ended processes, as PID 1 must. Return true once @pid has ended; then
 * *@status is its exit status as a shell shows it.
 */
static int ended(pid_t pid, int *status)
{
	int s, found = 0;
	pid_t p;

	while ((p = waitpid(-1, &s, WNOHANG)) > 0) {
		if (p != pid)
			continue;
		*status = WIFSIGNALED(s) ? 128 + WTERMSIG(s) : WEXITSTATUS(s);
		found = 1;
	}
	return found;
}

static void on_child(int sig)
{
	(void)sig;
}

/*
 * Run a program, and pass its output on as frames of the two types. Return when
 * the program itself ends, without waiting for daemons that it has started.
 */
static int run(char *const argv[], char out_type, char err_type)
{
	int out[2], err[2], status = -1, over = 0;
	struct pollfd p[2];
	sigset_t blocked, unblocked;
	pid_t pid;

	if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC))
		return 127;
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGCHLD);
	sigprocmask(SIG_BLOCK, &blocked, &unblocked);
	pid = start(argv, out[1], err[1], &unblocked);
	close(out[1]);
	close(err[1]);
	fcntl(out[0], F_SETFL, O_NONBLOCK);
	fcntl(err[0], F_SETFL, O_NONBLOCK);
	p[0] = (struct pollfd){ .fd = out[0], .events = POLLIN };
	p[1] = (struct pollfd){ .fd = err[0], .events = POLLIN };
	while (!over) {
		ppoll(p, 2, NULL, &unblocked);
		over = ended(pid, &status);
		relay(&p[0], out_type);
		relay(&p[1], err_type);
	}
	if (p[0].fd >= 0)
		close(p[0].fd);
	if (p[1].fd >= 0)
		close(p[1].fd);
	sigprocmask(SIG_SETMASK, &unblocked, NULL);
	return status;
}

static int run_script(const char *path, char out_type, char err_type)
{
	char *argv[] = { "/bin/sh", (char *)path, NULL };

	if (access(path, R_OK))
		return 0;
	return run(argv, out_type, err_type);
}

static void interactive(void)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		int fd;

		setsid();
		fd = open("/dev/ttyS0", O_RDWR);
		ioctl(fd, TIOCSCTTY, 1);
		dup2(fd, 0);
		dup2(fd, 1);
		dup2(fd, 2);
		chdir("/root");
		execl("/bin/bash", "bash", "-i", NULL);
		_exit(127);
	}
	while (waitpid(-1, &status, 0) != pid)
		;
}

/* Wait for a byte from the host; an interactive guest gets none, so do not wait. */
static void wait_for_host(void)
{
	char c;

	frame('r', NULL, 0);
	if (!getenv("interactive"))
		while (channel >= 0 && read(channel, &c, 1) != 1)
			;
}

static void power_off(void)
{
	frame('d', NULL, 0);
	if (channel >= 0)
		tcdrain(channel);
	sync();
	reboot(RB_POWER_OFF);
	for (;;)
		pause();
}

int main(void)
{
	struct sigaction act = { .sa_handler = on_child };
	uint8_t status;
	int fd;

	mount_all();
	fd = open(CONSOLE, O_RDWR);
	dup2(fd, 0);
	dup2(fd, 1);
	dup2(fd, 2);
	sigaction(SIGCHLD, &act, NULL);
	setenv("PATH", "/bin", 1);
	setenv("HOME", "/root", 1);
	setenv("TERM", "linux", 1);
	setenv("LC_ALL", "C", 1);
	if (getenv("online"))
		online_cpus();
	open_channel();
	fd = bench_find();
	wait_for_host();
	if (fd || unpack())
		say("init: no files of this run\n");

	if (run_script("/vm/setup", 'e', 'e')) {
		frame('s', NULL, 0);
		say("the guest's setup failed\n");
		power_off();
	}
	if (!access("/vm/interactive", F_OK)) {
		interactive();
		power_off();
	}
	status = run_script("/vm/command", 'o', 'e');
	frame('x', &status, 1);
	run_script("/vm/last", 'n', 'n');
	run_script("/vm/finish-illegal", 'i', 'e');
	run_script("/vm/finish-leaks", 'l', 'e');
	run_script("/vm/finish-coverage", 'c', 'e');
	power_off();
}
