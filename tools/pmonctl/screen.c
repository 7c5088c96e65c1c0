// SPDX-License-Identifier: GPL-2.0-only
/* Draws a screen for --watch, with histories as strips of blocks. */
#include <langinfo.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "reasons.h"

#define HOME "\033[H"
#define CLEAR_LINE "\033[K"
#define CLEAR_REST "\033[J"
/* The alternate screen, without a cursor and without wrapping, so long lines are cut. */
#define BEGIN "\033[?1049h\033[?25l\033[?7l"
#define END "\033[?7h\033[?25h\033[?1049l"

#define OFF "\033[m"

static struct termios before;
static bool changed, drawing;

bool screen_is(void)
{
	const char *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && term && *term && strcmp(term, "dumb");
}

/* Red: a fault; yellow: another limit; a turbo limit has no colour. */
void screen_add_names(struct text *t, const char *names, size_t len)
{
	const char *no = getenv("NO_COLOR");
	bool colours = screen_is() && !(no && *no);
	char *words = xstrndup(names, len);

	for_each_token(word, words, " ") {
		size_t name = strcspn(word, ",");
		int bit = colours ? reason_bit(xstrndup(word, name)) : -1;
		const char *colour = bit < 0 || reasons_of_turbo() >> bit & 1 ? "" :
				     reasons_of_faults() >> bit & 1 ? "\033[31m" : "\033[33m";

		text_add(t, "%s%s%.*s%s%s", word == words ? "" : " ", colour, (int)name, word,
			 *colour ? OFF : "", word + name);
	}
}

void screen_begin(void)
{
	struct termios now;

	print_text(stdout, BEGIN);
	drawing = true;
	if (tcgetattr(STDIN_FILENO, &before))
		return;
	now = before;
	now.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	changed = !tcsetattr(STDIN_FILENO, TCSADRAIN, &now);
}

void screen_end(void)
{
	if (drawing)
		print_text(stdout, END);
	drawing = false;
	if (changed)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
	changed = false;
}

void screen_draw(const char *text)
{
	struct winsize size = { .ws_row = 0 };
	struct text drawn = { NULL, 0 };
	int lines = 0, room;

	ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
	room = size.ws_row < 4 ? 23 : size.ws_row - 1;
	for (const char *c = text; *c; c++)
		lines += *c == '\n';
	if (lines > room)
		room--;
	text_add(&drawn, HOME);
	for (int at = 0; at < lines && at < room; at++) {
		size_t len = strcspn(text, "\n");

		text_add(&drawn, "%.*s" CLEAR_LINE "\r\n", (int)len, text);
		text += len + 1;
	}
	if (lines > room)
		text_add(&drawn, "(%d more lines)" CLEAR_LINE "\r\n", lines - room);
	text_add(&drawn, CLEAR_REST);
	print_text(stdout, drawn.s);
}

int intervals_wait(long long end)
{
	unsigned char key = 0;

	/* A signal or a resize ends a wait early. */
	for (long long now = clock_ms(); !key && now < end && !signals_stopped(); now = clock_ms())
		if (!changed)
			clock_pause_ms(end - now);
		else if (clock_wait_ms(STDIN_FILENO, end - now) && read(STDIN_FILENO, &key, 1) != 1)
			key = 0;
	return signals_stopped() ? 'q' : key;
}

struct intervals intervals_of(const struct options *opt)
{
	struct intervals i = {
		.seconds = opt->interval, .count = opt->count,
		.screen = opt->watch && screen_is() && !opt->json && !opt->csv,
	};

	if (!(i.seconds > 0))
		i.seconds = opt->count && opt->duration > 0 ?
			    opt->duration / (double)opt->count : 1;
	if (opt->duration > 0 && i.seconds > opt->duration)
		i.seconds = opt->duration;
	if (opt->duration > 0 && !opt->count)
		i.count = (long)(opt->duration / i.seconds + 0.5);
	else if (!opt->watch && !(opt->interval > 0) && !opt->count)
		i.count = 1;
	return i;
}

void ring_add(struct ring *r, double value)
{
	if (value > r->most)
		r->most = value;
	r->value[r->count++ % HISTORY] = value;
}

char *ring_text(const struct ring *r, double most)
{
	static const char *const blocks[] = {
		"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█",
	};
	static const char *const ascii[] = { "_", ".", ",", "-", "=", "+", "*", "#" };
	const char *const *heights = strcmp(nl_langinfo(CODESET), "UTF-8") ? ascii : blocks;
	struct text t = { NULL, 0 };

	for (size_t i = r->count < HISTORY ? 0 : r->count - HISTORY; i < r->count; i++) {
		double value = r->value[i % HISTORY];
		int height = most > 0 ? (int)(value / most * 7 + 0.5) : 0;

		text_add(&t, "%s", value < 0 ? "?" : heights[height > 7 ? 7 : height]);
	}
	return t.s;
}
