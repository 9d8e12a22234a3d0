// SPDX-License-Identifier: GPL-2.0-only
/*
 * insns.c - instructions of every class, to be probed one by one.
 *
 * Each case of insns.h is there twice: `probed_X` for probes on all of its
 * instructions, `twin_X` without. Both start in the same state; registers,
 * flags, vector and x87 state, the balance of the stack, memory, and what each
 * signal handler was shown must be the same in the end. An address in the
 * function itself counts as its distance from the start. "storm" as argument:
 * signals come meanwhile.
 */
#include <cpuid.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>

#include "insns.h"
#include "target.h"

#define PAGE 4096
#define SEEDS 6
#define MAX_EVENTS 32

/* What the CPU and the kernel must have. */
enum feature { ALWAYS, AVX2, BMI2, AVX512, FSGSBASE };

static bool has(enum feature f)
{
	switch (f) {
	case AVX2:
		return __builtin_cpu_supports("avx2");
	case BMI2:
		return __builtin_cpu_supports("bmi2");
	case AVX512:
		return __builtin_cpu_supports("avx512f") &&
		       __builtin_cpu_supports("avx512vl");
	case FSGSBASE:
		return getauxval(AT_HWCAP2) & 2;
	default:
		return true;
	}
}

/* ---- what the cases use --------------------------------------------------------- */

unsigned char mem[128] __attribute__((aligned(64)));
unsigned char from[256], to[256];
unsigned char area[PAGE] __attribute__((aligned(64)));
void (*pointer)(void);
double one = 1.0;
uint32_t mxcsr = 0x1f80;
uint32_t indices[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
static unsigned char *guard; /* behind a page that can be accessed */

void leaf(void);
ASM_FUNCTION(leaf, "lea 5(%rax),%rax\n ret");

#define DECLARE(name, needs, text)                   \
	void probed_##name(void), twin_##name(void); \
	extern char end_##name[];                    \
	ASM_FUNCTION(probed_##name, text);           \
	ASM_FUNCTION(twin_##name, text);             \
	__asm__(".globl end_" #name "\nend_" #name ":");
CASES(DECLARE)

/* ---- the state before and after -------------------------------------------------- */

struct state {
	uint64_t gpr[16]; /* ax cx dx bx sp bp si di r8 .. r15 */
	uint64_t flags;
	unsigned char x[PAGE] __attribute__((aligned(64))); /* of xsave */
};
_Static_assert(offsetof(struct state, x) == 192, "as enter has it");

/* Load all of s, call fn, store all into s. */
void enter(void (*fn)(void), struct state *s);
ASM_FUNCTION(enter,
	     "push %rbx\n push %rbp\n push %r12\n push %r13\n push %r14\n"
	     "push %r15\n"
	     "mov %rsi,saved_state(%rip)\n"
	     "mov %rdi,saved_fn(%rip)\n"
	     "mov $-1,%eax\n mov $-1,%edx\n xrstor64 192(%rsi)\n"
	     "push 128(%rsi)\n popf\n"
	     "mov 0(%rsi),%rax\n mov 8(%rsi),%rcx\n mov 16(%rsi),%rdx\n"
	     "mov 24(%rsi),%rbx\n mov 40(%rsi),%rbp\n mov 56(%rsi),%rdi\n"
	     "mov 64(%rsi),%r8\n mov 72(%rsi),%r9\n mov 80(%rsi),%r10\n"
	     "mov 88(%rsi),%r11\n mov 96(%rsi),%r12\n mov 104(%rsi),%r13\n"
	     "mov 112(%rsi),%r14\n mov 120(%rsi),%r15\n mov 48(%rsi),%rsi\n"
	     "mov %rsp,saved_sp(%rip)\n"
	     "call *saved_fn(%rip)\n"
	     "mov %rsp,found_sp(%rip)\n"
	     "mov saved_sp(%rip),%rsp\n"
	     "push %rsi\n pushf\n cld\n"
	     "mov saved_state(%rip),%rsi\n"
	     "mov %rax,0(%rsi)\n mov %rcx,8(%rsi)\n mov %rdx,16(%rsi)\n"
	     "mov %rbx,24(%rsi)\n mov %rbp,40(%rsi)\n mov %rdi,56(%rsi)\n"
	     "mov %r8,64(%rsi)\n mov %r9,72(%rsi)\n mov %r10,80(%rsi)\n"
	     "mov %r11,88(%rsi)\n mov %r12,96(%rsi)\n mov %r13,104(%rsi)\n"
	     "mov %r14,112(%rsi)\n mov %r15,120(%rsi)\n"
	     "popq 128(%rsi)\n popq 48(%rsi)\n"
	     "mov $-1,%eax\n mov $-1,%edx\n xsave64 192(%rsi)\n"
	     "fninit\n ldmxcsr mxcsr(%rip)\n"
	     "mov found_sp(%rip),%rax\n sub saved_sp(%rip),%rax\n"
	     "mov %rax,32(%rsi)\n"
	     "pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbp\n pop %rbx\n"
	     "ret");

struct state *saved_state;
void (*saved_fn)(void);
uint64_t saved_sp, found_sp;

static struct state fresh; /* its xsave area is one that xrstor takes */

/* Where xsave puts a component; 0: it is not enabled. */
static unsigned int component(unsigned int i, unsigned int *size)
{
	unsigned int a, b, c, d, enabled, high;

	__asm__ volatile("xgetbv" : "=a"(enabled), "=d"(high) : "c"(0));
	if (!(enabled & 1u << i))
		return 0;
	__cpuid_count(0xd, i, a, b, c, d);
	*size = a;
	return b;
}

static const unsigned int wide[] = { 2, 5, 6, 7 }; /* AVX, AVX-512 */

static void fill_vectors(struct state *s, unsigned int seed)
{
	unsigned int i, j, at, size = 0;
	uint64_t *present = (uint64_t *)(s->x + 512);

	for (i = 0; i < 256; i++)
		s->x[160 + i] = i * 7 + seed;
	*present |= 3;
	for (i = 0; i < 4; i++) {
		at = component(wide[i], &size);
		for (j = 0; at && j < size; j++)
			s->x[at + j] = j * 5 + seed;
		if (at)
			*present |= 1ul << wide[i];
	}
}

/*
 * What is in its first state the CPU stores or leaves out, as it likes: here it
 * is stored.
 */
static void store_all(struct state *s)
{
	uint64_t *present = (uint64_t *)(s->x + 512);
	unsigned int i, at, size = 0;

	if (!(*present & 1)) {
		memset(s->x, 0, 24);
		memset(s->x + 32, 0, 128);
		s->x[0] = 0x7f;
		s->x[1] = 0x03;
	}
	if (!(*present & 2))
		memset(s->x + 160, 0, 256);
	for (i = 0; i < 4; i++) {
		at = component(wide[i], &size);
		if (at && !(*present & 1ul << wide[i]))
			memset(s->x + at, 0, size);
	}
	*present = 0;
}

static void fill(struct state *s, unsigned int seed)
{
	static const uint64_t flags[] = { 0x202, 0x246, 0x293, 0xa97 };
	unsigned int i;

	*s = fresh;
	for (i = 0; i < 16; i++)
		s->gpr[i] = 0x0101010101010101ull * (seed * 16 + i + 1);
	s->gpr[1] = seed % 8;
	s->gpr[2] = 0;
	s->gpr[6] = (uintptr_t)from;
	s->gpr[7] = (uintptr_t)to;
	s->gpr[11] = (uintptr_t)leaf;
	s->gpr[12] = (uintptr_t)mem;
	s->gpr[13] = (uintptr_t)guard;
	s->flags = flags[seed % 4];
	fill_vectors(s, seed);
	for (i = 0; i < sizeof(mem); i++)
		mem[i] = i < 64 ? i * 3 + seed + 1 : 0;
	for (i = 0; i < sizeof(from); i++) {
		from[i] = i + seed;
		to[i] = seed % 2 ? i + seed : 0;
	}
	memset(area, 0, sizeof(area));
	CHECK(!mprotect(guard, PAGE, PROT_READ | PROT_WRITE));
	for (i = 0; i < 64; i++) {
		guard[-1 - (int)i] = i + seed;
		guard[i] = 64 + i + seed;
	}
	CHECK(!mprotect(guard, PAGE, PROT_NONE));
}

/* ---- signals --------------------------------------------------------------------- */

struct event {
	uint64_t sig, code, addr, gregs[17]; /* r8 .. r15, di .. sp, ip */
};

static struct event event[MAX_EVENTS];
static unsigned int nr_events, alarms;
static const char *running;

/* The case itself is wrong, or something took it elsewhere. */
static void fatal(const struct event *e)
{
	fprintf(stderr, "%s: signal %lu at %lx, address %lx\n", running, e->sig,
		e->gregs[REG_RIP], e->addr);
	_exit(1);
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
	greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
	struct event *e = &event[nr_events];
	uint64_t addr = (uintptr_t)info->si_addr;

	e->sig = sig;
	e->code = info->si_code;
	e->addr = sig == SIGTRAP ? 0 : addr;
	memcpy(e->gregs, r, sizeof(e->gregs));
	e->gregs[REG_RSP] -= saved_sp;
	if (++nr_events == MAX_EVENTS)
		fatal(e);
	if (sig == SIGTRAP)
		return;
	if (sig == SIGSEGV && addr - (uintptr_t)guard < PAGE)
		CHECK(!mprotect(guard, PAGE, PROT_READ | PROT_WRITE));
	else if (r[REG_R14] >> 48 == 0)
		r[REG_RIP] = r[REG_R14];
	else
		fatal(e);
}

static void on_alarm(int sig)
{
	alarms++;
}

static void handle(void)
{
	static const int faults[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE,
				      SIGTRAP };
	static char stack[64 * 1024];
	stack_t ss = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction sa = { .sa_sigaction = on_signal,
				/* A probe must not be met with SIGTRAP
				 * blocked. */
				.sa_flags = SA_SIGINFO | SA_ONSTACK |
					    SA_NODEFER };
	struct sigaction alarm = { .sa_handler = on_alarm,
				   .sa_flags = SA_ONSTACK | SA_RESTART };
	unsigned int i;

	CHECK(!sigaltstack(&ss, NULL));
	for (i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		CHECK(!sigaction(faults[i], &sa, NULL));
	CHECK(!sigaction(SIGALRM, &alarm, NULL));
}

/* ---- comparison ------------------------------------------------------------------- */

/* All that a run leaves behind, addresses made relative. */
struct outcome {
	struct state s;
	unsigned char mem[sizeof(mem)], to[sizeof(to)], guard[128];
	struct event event[MAX_EVENTS];
	uint64_t nr_events;
};

static void relative(uint64_t *word, size_t bytes, uintptr_t fn, uintptr_t size)
{
	size_t i;

	for (i = 0; i < bytes / 8; i++)
		if (word[i] - fn < size)
			word[i] = 0xc0de0000 + (word[i] - fn);
}

static void run(struct outcome *o, unsigned int seed, void (*fn)(void),
		uintptr_t size)
{
	uintptr_t base = (uintptr_t)fn;

	memset(o, 0, sizeof(*o));
	memset(event, 0, sizeof(event));
	nr_events = 0;
	fill(&o->s, seed);
	enter(fn, &o->s);
	memcpy(o->mem, mem, sizeof(mem));
	memcpy(o->to, to, sizeof(to));
	CHECK(!mprotect(guard, PAGE, PROT_READ));
	memcpy(o->guard, guard - 64, 128);
	memcpy(o->event, event, sizeof(event));
	o->nr_events = nr_events;
	store_all(&o->s);
	relative((uint64_t *)o, sizeof(*o), base, size);
}

static void compare(const char *name, void (*probed)(void), void (*twin)(void),
		    const char *end)
{
	static struct outcome a, b;
	const uint64_t *x = (uint64_t *)&a, *y = (uint64_t *)&b;
	uintptr_t size = end - (const char *)twin;
	unsigned int seed, i, bad = 0;

	running = name;
	for (seed = 0; seed < SEEDS; seed++) {
		run(&b, seed, twin, size);
		run(&a, seed, probed, size);
		for (i = 0; i < sizeof(a) / 8; i++) {
			if (x[i] == y[i])
				continue;
			fprintf(stderr, "%s, seed %u, word %u: %lx, not %lx\n",
				name, seed, i, x[i], y[i]);
			bad++;
		}
		if (bad)
			_exit(1);
	}
}

int main(int argc, char **argv)
{
	const struct itimerval often = { { 0, 300 }, { 0, 300 } },
			       never = { 0 };
	unsigned int nr = 0, missing = 0;
	bool storm = argc > 1 && !strcmp(argv[1], "storm");

	guard = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(guard != MAP_FAILED);
	guard += PAGE;
	pointer = leaf;
	__asm__ volatile("xsave64 %0"
			 : "+m"(fresh.x)
			 : "a"(-1), "d"(-1)
			 : "memory");
	handle();
	if (storm)
		CHECK(!setitimer(ITIMER_REAL, &often, NULL));
#define COMPARE(name, needs, text)                                      \
	if (has(needs))                                                 \
		compare(#name, probed_##name, twin_##name, end_##name); \
	else                                                            \
		missing++;                                              \
	nr++;
	CASES(COMPARE)
	CHECK(!setitimer(ITIMER_REAL, &never, NULL));
	CHECK(!storm || alarms > 10);
	printf("%u cases the same, %u of them not run here\n", nr, missing);
	return 7;
}
