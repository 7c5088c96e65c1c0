// SPDX-License-Identifier: GPL-2.0-only
/* Notes the signals that ask this process to end, instead of ending. */
#include "signals.h"

#include <stdatomic.h>
#include <stddef.h>

static sigset_t ignored;
static atomic_int came;

static void on_signal(int number)
{
	if (number != SIGCHLD)
		came = number;
}

bool signal_is_ignored(int number)
{
	struct sigaction before;

	return !sigaction(number, NULL, &before) &&
	       before.sa_handler == SIG_IGN;
}

void signals_catch(bool for_job)
{
	static const int caught[] = {
		SIGCHLD, SIGTERM, SIGHUP, SIGINT, SIGQUIT
	};
	/* They end a pause all the same. */
	struct sigaction action = {
		.sa_handler = on_signal, .sa_flags = SA_RESTART,
	};
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	sigemptyset(&ignored);
	for (size_t i = 0; i < sizeof(caught) / sizeof(*caught); i++) {
		bool keyboard = caught[i] == SIGINT || caught[i] == SIGQUIT;

		if (caught[i] != SIGCHLD && signal_is_ignored(caught[i])) {
			sigaddset(&ignored, caught[i]);
			continue;
		}
		sigaction(caught[i], for_job && keyboard ? &ignore : &action,
			  NULL);
	}
}

bool signals_stopped(void)
{
	return came;
}

const sigset_t *signals_ignored(void)
{
	return &ignored;
}

int signals_take(void)
{
	return atomic_exchange(&came, 0);
}

/*
 * A change that is begun is ended, also when the output is no longer wanted or
 * a file may not be written: that is an error like others, and is cleaned up.
 */
static const int held[] = {
	SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ,
};

void signals_hold(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(held) / sizeof(*held); i++)
		sigaddset(&set, held[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

bool signals_waiting(void)
{
	sigset_t set;

	sigpending(&set);
	for (size_t i = 0; i < sizeof(held) / sizeof(*held); i++)
		if (sigismember(&set, held[i]))
			return true;
	return false;
}

void signals_release(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(held) / sizeof(*held); i++)
		sigaddset(&set, held[i]);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}
