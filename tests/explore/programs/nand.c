// SPDX-License-Identifier: GPL-2.0-only
/* fetch_nand, which C11 has no name for: two of them, in either order. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static unsigned int x = 6;
static unsigned int seen[2];

static void *first(void *arg)
{
	seen[0] = __atomic_fetch_nand(&x, 3, __ATOMIC_SEQ_CST);
	return NULL;
}

static void *second(void *arg)
{
	seen[1] = __atomic_nand_fetch(&x, 5, __ATOMIC_SEQ_CST);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	if (seen[0] == 6) /* ~(6 & 3) = ~2, ~(~2 & 5) = ~5 */
		assert(x == ~5u && seen[1] == ~5u);
	else /* ~(6 & 5) = ~4, ~(~4 & 3) = ~3 */
		assert(seen[0] == ~4u && x == ~3u && seen[1] == ~4u);
	return 0;
}
