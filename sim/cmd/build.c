// SPDX-License-Identifier: GPL-2.0-only
/*
 * build.c - from a scenario's source to the program that explores it.
 *
 * A file that includes <trapline/scenario.h> is kernel-style: it sees the
 * model's headers and no libc. Any other is a plain C11 program: its main
 * becomes the first thread, and trapline/plain.h, included first, redirects
 * its threads, assert and malloc to the explorer.
 *
 * The program is non-PIE, so that addresses are the same in every run and are
 * those in its debug information.
 */
#include "build.h"

#include "assembly.h"
#include "cache.h"
#include "cmd.h"
#include "externals.h"
#include "locate.h"
#include "process.h"
#include "text.h"
#include "toolchain.h"
#include "unfix.h"

#include <errno.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct builder {
	const struct build *b;
	const char *cc, *source, *lib; /* where things are */
	struct args flags;	       /* of the scenario's files */
	struct args model_flags;
	struct args archives;
	bool plain;   /* a C11 program */
	char *target; /* of the unfix, or NULL */
	int status;
};

static const char *const explore_flags[] = { TOOLCHAIN_EXPLORE_FLAGS };
static const char *const kernel_flags[] = { TOOLCHAIN_KERNEL_FLAGS };
static const char *const kernel_dirs[] = { TOOLCHAIN_KERNEL_DIRS };
static const char *const link_flags[] = { TOOLCHAIN_LINK_FLAGS };

/* In the order of need; one group, since they need each other. */
static const char *const archives[] = {
	"trapline_machine_explore", "trapline_model_explore",
	"trapline_arch_explore",    "trapline_explore",
	"trapline_trace",	    "trapline_base",
};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* A pipe or a directory would be waited for, or misunderstood further on. */
static bool is_readable_file(const char *path)
{
	struct stat st;

	if (stat(path, &st) || access(path, R_OK)) {
		err("cannot read %s: %s", path, strerror(errno));
		return false;
	}
	if (!S_ISREG(st.st_mode)) {
		err("%s is not a file; expected a scenario in C", path);
		return false;
	}
	return true;
}

/* Does any line that begins with # name the scenario header? */
static bool is_kernel_style(const char *path)
{
	char *line = NULL;
	size_t room = 0;
	bool yes = false;
	FILE *f = fopen(path, "re");

	while (f && !yes && getline(&line, &room, f) > 0)
		yes = line[strspn(line, " \t")] == '#' &&
		      strstr(line, "trapline/scenario.h");
	if (f)
		fclose(f);
	free(line);
	return yes;
}

static void common_flags(struct builder *w, struct args *a)
{
	char *cwd = getcwd(NULL, 0);

	args_add(a, "-std=gnu11");
	args_add(a, "-g");
	args_add(a, "-fno-strict-aliasing");
	args_add(a, "-Werror=implicit-function-declaration");
	/* Reports do not say where this machine keeps things. */
	if (cwd && cwd[1])
		args_add(a, "-ffile-prefix-map=%s=.", cwd);
	free(cwd);
}

static void kernel_style_flags(struct builder *w, struct args *a)
{
	common_flags(w, a);
	for (size_t i = 0; i < COUNT(kernel_flags); i++)
		args_add(a, "%s", kernel_flags[i]);
	for (size_t i = 0; i < COUNT(kernel_dirs); i++)
		args_add(a, "-I%s/%s", w->source, kernel_dirs[i]);
}

static void plain_flags(struct builder *w, struct args *a)
{
	common_flags(w, a);
	for (size_t i = 0; i < COUNT(explore_flags); i++)
		args_add(a, "%s", explore_flags[i]);
	args_add(a, "-I%s/sim/include", w->source);
}

static void prepare_flags(struct builder *w)
{
	kernel_style_flags(w, &w->model_flags);
	w->plain = !is_kernel_style(w->b->scenario);
	if (!w->plain)
		kernel_style_flags(w, &w->flags);
	else
		plain_flags(w, &w->flags);
	for (size_t i = 0; i < w->b->include.nr; i++)
		args_add(&w->flags, "-I%s", w->b->include.item[i]);
	for (size_t i = 0; i < w->b->define.nr; i++)
		args_add(&w->flags, "-D%s", w->b->define.item[i]);
}

static bool prepare_archives(struct builder *w)
{
	for (size_t i = 0; i < COUNT(archives); i++) {
		args_add(&w->archives, "%s/lib%s.a", w->lib, archives[i]);
		if (access(w->archives.v[i], R_OK)) {
			err("cannot read %s: %s; TRAPLINE_LIB names the "
			    "directory of Trapline's archives",
			    w->archives.v[i], strerror(errno));
			w->status = CMD_USAGE;
			return false;
		}
	}
	return true;
}

/* Run the compiler. `what` follows the file's name if it objects. */
static bool compiler(struct builder *w, struct args *a, FILE *out,
		     const char *file, const char *what)
{
	int ret = process_run(a, out);

	args_free(a);
	if (!ret)
		return true;
	if (ret < 0)
		err("cannot run the compiler %s: %s; TRAPLINE_CC names another",
		    w->cc, strerror(-ret));
	else
		err("%s does not %s", file, what);
	w->status = CMD_USAGE;
	return false;
}

/*
 * The compiler's command up to what it is to do with the file. plain.h brings libc's
 * headers in before the first line of a program, where it is too late for that to
 * widen them: whether it does is asked first.
 */
static bool begin_command(struct builder *w, struct args *a, const char *file)
{
	static const char wide[] = "#define _GNU_SOURCE ";
	struct args ask = { 0 };
	char *macros = NULL, *at;
	size_t len;
	FILE *f;
	bool good;

	args_add(a, "%s", w->cc);
	args_add_all(a, &w->flags);
	if (!w->plain)
		return true;
	f = open_memstream(&macros, &len);
	if (!f)
		abort();
	args_add_all(&ask, a);
	args_add(&ask, "-w");
	args_add(&ask, "-E");
	args_add(&ask, "-dM");
	args_add(&ask, "%s", file);
	good = compiler(w, &ask, f, file, "compile");
	fclose(f);
	at = strstr(macros, wide);
	if (good && at) {
		at += strlen(wide);
		args_add(a, "-D_GNU_SOURCE=%.*s", (int)strcspn(at, "\n"), at);
	}
	free(macros);
	args_add(a, "-include");
	args_add(a, "trapline/plain.h");
	if (!good)
		args_free(a);
	return good;
}

/* All that the preprocessor makes of the file, headers included. */
static bool digest_source(struct builder *w, struct digest *d, const char *file)
{
	struct args a = { 0 };
	char *text = NULL;
	size_t len;
	FILE *f;
	bool good;

	if (!is_readable_file(file)) {
		w->status = CMD_USAGE;
		return false;
	}
	f = open_memstream(&text, &len);
	if (!f)
		abort();
	good = begin_command(w, &a, file);
	args_add(&a, "-w");
	args_add(&a, "-E");
	args_add(&a, "%s", file);
	good = good && compiler(w, &a, f, file, "compile");
	fclose(f);
	digest_add(d, text, len);
	free(text);
	return good;
}

static bool digest_all(struct builder *w, struct digest *d)
{
	const struct build *b = w->b;
	char *path;

	digest_init(d);
	digest_string(d, w->cc);
	for (size_t i = 0; i < w->flags.n; i++)
		digest_string(d, w->flags.v[i]);
	for (size_t i = 0; i < w->archives.n; i++)
		digest_stat(d, w->archives.v[i]);
	path = text_print("%s/sim/explore/arena.ld", w->source);
	digest_file(d, path);
	free(path);
	if (!digest_source(w, d, b->scenario))
		return false;
	for (size_t i = 0; i < b->source.nr; i++) {
		if (!digest_source(w, d, b->source.item[i]))
			return false;
	}
	if (!w->target)
		return true;
	path = text_print("%s/%s", w->source, w->target);
	digest_file(d, b->unfix);
	digest_file(d, path); /* applying the patch will report a failure */
	free(path);
	return true;
}

/* In two steps: inline assembly is looked for in what the compiler writes. */
static bool compile(struct builder *w, const char *file, const char *dir,
		    struct args *objects)
{
	struct args a = { 0 };
	char *assembly;
	bool good;

	/* arena.ld knows by the suffix what an execution resets. */
	args_add(objects, "%s/%zu.scenario.o", dir, objects->n);
	assembly = text_print("%s/%zu.s", dir, objects->n);
	good = begin_command(w, &a, file);
	args_add(&a, "-S");
	args_add(&a, "-o%s", assembly);
	args_add(&a, "%s", file);
	good = good && compiler(w, &a, NULL, file, "compile");
	if (good && !assembly_allowed(assembly, file)) {
		w->status = CMD_USAGE;
		good = false;
	}
	if (good) {
		args_add(&a, "%s", w->cc);
		args_add(&a, "-c");
		args_add(&a, "-o%s", objects->v[objects->n - 1]);
		args_add(&a, "%s", assembly);
		good = compiler(w, &a, NULL, file, "assemble");
	}
	free(assembly);
	return good;
}

static bool compile_unfixed(struct builder *w, const char *dir,
			    struct args *objects)
{
	char *copy = unfix_apply(w->b->unfix, w->target, w->source, dir);
	char *original = strdup(w->target);
	struct args a = { 0 };
	bool good;

	if (!copy || !original) {
		free(original);
		w->status = CMD_USAGE;
		return false;
	}
	args_add(objects, "%s/unfixed.scenario.o", dir);
	args_add(&a, "%s", w->cc);
	args_add_all(&a, &w->model_flags);
	args_add(&a, "-ffile-prefix-map=%s/src=.", dir);
	/* What the original includes from its own directory. */
	args_add(&a, "-iquote%s/%s", w->source, dirname(original));
	args_add(&a, "-c");
	args_add(&a, "-o%s", objects->v[objects->n - 1]);
	args_add(&a, "%s", copy);
	good = compiler(w, &a, NULL, w->b->unfix, "leave a file that compiles");
	free(copy);
	free(original);
	return good;
}

static bool link_program(struct builder *w, const char *dir,
			 const struct args *objects)
{
	struct args a = { 0 };

	args_add(&a, "%s", w->cc);
	for (size_t i = 0; i < COUNT(link_flags); i++)
		args_add(&a, "%s", link_flags[i]);
	args_add(&a, "-Wl,-T,%s/sim/explore/arena.ld", w->source);
	args_add(&a, "-o%s/program", dir);
	args_add_all(&a, objects);
	args_add(&a, "-Wl,--start-group");
	args_add_all(&a, &w->archives);
	args_add(&a, "-Wl,--end-group");
	args_add(&a, "-Wl,--as-needed");
	args_add(&a, "-lZydis");
	args_add(&a, "-ldw");
	args_add(&a, "-lelf");
	return compiler(w, &a, NULL, w->b->scenario, "link");
}

/* Build in a directory of its own, then put the program in its place. */
static bool make_entry(struct builder *w, const char *cache, const char *entry)
{
	struct args objects = { 0 };
	char *dir, *program;
	bool good;

	dir = text_print("%s/new.XXXXXX", cache);
	if (!mkdtemp(dir)) {
		err("cannot write to %s: %s", cache, strerror(errno));
		free(dir);
		return false;
	}
	good = compile(w, w->b->scenario, dir, &objects);
	for (size_t i = 0; good && i < w->b->source.nr; i++)
		good = compile(w, w->b->source.item[i], dir, &objects);
	if (good && w->target)
		good = compile_unfixed(w, dir, &objects);
	if (good && !externals_allowed(&objects, &w->archives, !w->plain,
				       w->b->scenario)) {
		w->status = CMD_USAGE;
		good = false;
	}
	good = good && link_program(w, dir, &objects);
	program = text_print("%s/program", dir);
	if (good && rename(program, entry)) {
		err("cannot write %s: %s", entry, strerror(errno));
		good = false;
	}
	remove_tree(dir);
	args_free(&objects);
	free(program);
	free(dir);
	return good;
}

char *build_scenario(const struct build *b, int *status)
{
	const char *cc = getenv("TRAPLINE_CC");
	struct builder w = {
		.b = b,
		.cc = cc && *cc ? cc : TOOLCHAIN_CC,
		.source = locate_source(),
		.lib = locate_lib(),
		.status = CMD_BUG,
	};
	char *cache = NULL, *entry = NULL;
	struct digest d;

	if (b->unfix && !(w.target = unfix_target(b->unfix))) {
		w.status = CMD_USAGE;
		goto out;
	}
	if (!is_readable_file(b->scenario)) {
		w.status = CMD_USAGE;
		goto out;
	}
	prepare_flags(&w);
	if (!prepare_archives(&w) || !digest_all(&w, &d))
		goto out;
	cache = cache_dir();
	if (!cache) {
		err("no directory for compiled scenarios: XDG_CACHE_HOME, "
		    "~/.cache and /tmp cannot be written");
		goto out;
	}
	entry = cache_entry(cache, &d);
	if (!access(entry, X_OK)) {
		cache_used(cache, entry);
	} else if (make_entry(&w, cache, entry)) {
		cache_trim(cache);
	} else {
		free(entry);
		entry = NULL;
	}
out:
	*status = w.status;
	args_free(&w.flags);
	args_free(&w.model_flags);
	args_free(&w.archives);
	free(w.target);
	free(cache);
	return entry;
}
