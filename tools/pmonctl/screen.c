// SPDX-License-Identifier: GPL-2.0-only
/* A screen for --watch, with histories as strips of blocks. */
#include <langinfo.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "reasons.h"

#define HOME "\033[H"
#define CLEAR_LINE "\033[K"
#define CLEAR_REST "\033[J"
/* The alternate screen, without a cursor */
#define BEGIN "\033[?1049h\033[?25l"
#define END "\033[?25h\033[?1049l"

/* The end of a colour; a cut line ends with CUT, perhaps within a colour. */
#define OFF "\033[m"
#define CUT OFF ">"

static struct termios before;
static bool changed, drawing;

bool screen_is(void)
{
	const char *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && term && *term && strcmp(term, "dumb");
}

/* Red: temperature, the board, errors. Yellow: other limits; a turbo limit has none. */
void screen_add_names(struct text *t, const char *names, size_t len)
{
	const uint64_t red = reasons_of("THERMAL") | reasons_of("PLATFORM") | reasons_of("RAS");
	const char *no = getenv("NO_COLOR");
	bool colours = screen_is() && !(no && *no);
	char *words = xstrndup(names, len);

	for_each_token(word, words, " ") {
		int bit = colours ? reason_bit(word) : -1;
		const char *colour = bit < 0 || reasons_of_turbo() >> bit & 1 ? "" :
				     red >> bit & 1 ? "\033[31m" : "\033[33m";

		text_add(t, "%s%s%s%s", word == words ? "" : " ", colour, word, *colour ? OFF : "");
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

static struct winsize screen_size(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || size.ws_row < 4 || size.ws_col < 2)
		return (struct winsize){ .ws_row = 24, .ws_col = 80 };
	return size;
}

/* Bytes of the first @columns characters; colours have no width. */
static size_t screen_bytes(const char *line, size_t len, size_t columns)
{
	size_t i = 0;

	for (; i < len; i++)
		if (line[i] == '\033')
			i += strcspn(line + i, "m");
		else if ((line[i] & 0xc0) != 0x80 && !columns--)
			break;
	return i;
}

void screen_draw(const char *text)
{
	struct winsize size = screen_size();
	int lines = 0, room = size.ws_row - 1;
	struct text drawn = { NULL, 0 };

	for (const char *c = text; *c; c++)
		lines += *c == '\n';
	if (lines > room)
		room--;
	text_add(&drawn, HOME);
	for (; lines && room; lines--, room--) {
		size_t len = strcspn(text, "\n"), most = size.ws_col - 1U;
		/* The last column stays empty: some terminals wrap there. */
		bool cut = screen_bytes(text, len, most) < len;

		text_add(&drawn, "%.*s%s" CLEAR_LINE "\r\n",
			 (int)screen_bytes(text, len, most - cut), text, cut ? CUT : "");
		text += len + 1;
	}
	if (lines)
		text_add(&drawn, "(%d more lines)" CLEAR_LINE "\r\n", lines);
	text_add(&drawn, CLEAR_REST);
	print_text(stdout, drawn.s);
}

int screen_wait(long long ms)
{
	unsigned char key;

	if (!changed)
		clock_pause_ms(ms);
	else if (clock_wait_ms(STDIN_FILENO, ms) && read(STDIN_FILENO, &key, 1) == 1)
		return key;
	return 0;
}

double interval_after(double seconds, int key)
{
	if (key == '+' && seconds <= 30)
		return seconds * 2;
	return key == '-' && seconds >= 0.2 ? seconds / 2 : seconds;
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
