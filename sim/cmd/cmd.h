/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cmd.h - subcommands, and what they share: messages and exit statuses.
 *
 * The only code that talks to the user. A subcommand is one file with one
 * function, named in the table of main.c.
 */
#ifndef SIM_CMD_CMD_H
#define SIM_CMD_CMD_H

/* Exit statuses; trace returns the program's instead, or 125..127. */
enum cmd_status {
	CMD_OK = 0,
	CMD_VIOLATED = 1,     /* a property does not hold */
	CMD_USAGE = 2,	      /* the command line is wrong */
	CMD_INCONCLUSIVE = 3, /* the budget ended first */
	CMD_BUG = 4,	      /* internal error */
	CMD_IMPOSSIBLE = 77,  /* not on this machine */
	CMD_FAILED = 125,     /* trace: failure of our own */
	CMD_NO_EXEC = 126,    /* trace: the program cannot be executed */
	CMD_NOT_FOUND = 127,  /* trace: there is no such program */
};

/* argv[0] is "trapline NAME". Returns the exit status. */
int cmd_trace(int argc, char **argv);
int cmd_repair(int argc, char **argv);
int cmd_explore(int argc, char **argv);
int cmd_host(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_shrink(int argc, char **argv);
int cmd_races(int argc, char **argv);
int cmd_insn(int argc, char **argv);
int cmd_doctor(int argc, char **argv);

/* One message on stderr, "trapline: " in front and a newline behind. */
__attribute__((format(printf, 1, 2))) void err(const char *fmt, ...);

/* The last message, without what is around it; "" if there was none. */
const char *err_last(void);

/* As err, after a copy of `text` with len columns from `at` marked. */
__attribute__((format(printf, 4, 5))) void err_at(const char *text,
						  unsigned int at,
						  unsigned int len,
						  const char *fmt, ...);

#endif /* SIM_CMD_CMD_H */
