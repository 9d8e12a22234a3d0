// SPDX-License-Identifier: GPL-2.0-only
/*
 * tries.c - readers and writers of one lock, of whom some only try.
 *
 * Three threads; A, B and C say what each does: R, W wait; r, w try.
 */
#include <linux/rwsem.h>
#include <trapline/scenario.h>

static DECLARE_RWSEM(lock);

static void R(void)
{
	down_read(&lock);
	up_read(&lock);
}

static void W(void)
{
	down_write(&lock);
	up_write(&lock);
}

static void r(void)
{
	if (down_read_trylock(&lock))
		up_read(&lock);
}

static void w(void)
{
	if (down_write_trylock(&lock))
		up_write(&lock);
}

/* each is used in some programs only */
static void (*const all[])(void) __attribute__((used)) = { R, W, r, w };

SCENARIO_THREAD(a)
{
	A();
}

SCENARIO_THREAD(b)
{
	B();
}

SCENARIO_THREAD(c)
{
	C();
}
