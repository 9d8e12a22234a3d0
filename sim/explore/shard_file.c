// SPDX-License-Identifier: GPL-2.0-only
/*
 * shard_file.c - see shard_file.h.
 *
 * A file is kept as one text. What it says of parts is found by going through it
 * once, when it is read.
 */
#include "shard_file.h"
#include "text.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAJOR 1
#define MAX_BYTES (1u << 30)
#define SUM_BEGINS 0xcbf29ce484222325ull

/* FNV-1a */
static uint64_t sum_of(uint64_t sum, const void *bytes, size_t n)
{
	for (const unsigned char *p = bytes; n--; p++)
		sum = (sum ^ *p) * 0x100000001b3ull;
	return sum;
}

/* ---- the search ---------------------------------------------------------------------- */

/*
 * What is loaded, without notes: the link editor's covers debug information, which
 * says where sources are kept.
 */
static uint64_t sum_of_program(const char *file, size_t size)
{
	const Elf64_Ehdr *head = (const void *)file;
	const Elf64_Phdr *ph = (const void *)(file + head->e_phoff);
	uint64_t sum = SUM_BEGINS;

	for (int i = 0; i < head->e_phnum; i++) {
		size_t from = ph[i].p_offset, to = from + ph[i].p_filesz;

		if (ph[i].p_type != PT_LOAD || to > size)
			continue;
		for (int k = 0; k < head->e_phnum; k++) {
			if (ph[k].p_type != PT_NOTE || ph[k].p_offset < from ||
			    ph[k].p_offset + ph[k].p_filesz > to)
				continue;
			sum = sum_of(sum, file + from, ph[k].p_offset - from);
			from = ph[k].p_offset + ph[k].p_filesz;
		}
		sum = sum_of(sum, file + from, to - from);
	}
	return sum;
}

int shard_of_this(struct shard_of *of, char *options)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *file;

	if (fd < 0 || fstat(fd, &st))
		return -errno;
	file = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (file == MAP_FAILED)
		return -errno;
	snprintf(of->program, sizeof(of->program), "%016" PRIx64,
		 sum_of_program(file, st.st_size));
	munmap(file, st.st_size);
	of->options = options;
	return 0;
}

/* ---- writing ------------------------------------------------------------------------- */

void shard_file_begin(FILE *to, const struct shard_of *of, unsigned int shard,
		      unsigned int shards)
{
	fprintf(to,
		"trapline %d shard\nprogram: %s\noptions: %s\nshard: %u/%u\n"
		"--\n",
		MAJOR, of->program, of->options, shard, shards);
}

void shard_file_section(FILE *to, uint64_t section)
{
	fprintf(to, "section %016" PRIx64 "\n", section);
}

void shard_file_part(FILE *to, unsigned int part, bool again)
{
	fprintf(to, "part %u%s\n", part, again ? " again" : "");
}

void shard_file_close(FILE *to, const char *text, size_t len, bool finished)
{
	fwrite(text, len, 1, to);
	fprintf(to, "closed %s %016" PRIx64 "\n",
		finished ? "finished" : "stopped",
		sum_of(SUM_BEGINS, text, len));
}

/* ---- reading ------------------------------------------------------------------------- */

struct part {
	uint64_t section;
	unsigned int number;
	const char *record; /* NULL: again */
};

struct file {
	char *path, *text;
	unsigned int shard;
	bool finished;
	struct part *part;
	size_t nr, room;
};

struct shard_records {
	struct file *file;
	size_t nr;
	unsigned int shards; /* 0: none was read */
};

struct shard_records *shard_records_new(void)
{
	return need(calloc(1, sizeof(struct shard_records)));
}

unsigned int shard_records_shards(const struct shard_records *r)
{
	return r->shards;
}

static char *read_all(struct file *f, size_t *len)
{
	FILE *from = fopen(f->path, "re");

	f->text = from ? text_read(from, MAX_BYTES, len) : NULL;
	if (!f->text) {
		char *why = text_print("cannot read %s: %s", f->path,
				       strerror(errno));

		if (from)
			fclose(from);
		return why;
	}
	fclose(from);
	return NULL;
}

/* The text behind `key` on the line at *at, which ends there; NULL: another line. */
static char *take(char **at, const char *key)
{
	size_t n = strlen(key);
	char *end = strchr(*at, '\n'), *value = *at + n;

	if (strncmp(*at, key, n) || !end)
		return NULL;
	*end = '\0';
	*at = end + 1;
	return value;
}

/* Is it whole? Then the text ends before its last line. */
static bool is_closed(struct file *f, size_t len)
{
	size_t at = len;
	uint64_t sum;
	char how[16];

	while (at > 1 && f->text[at - 2] != '\n')
		at--;
	if (at < 2 || f->text[len - 1] != '\n')
		return false;
	at--;
	if (sscanf(f->text + at, "closed %15s %" SCNx64, how, &sum) != 2 ||
	    sum != sum_of(SUM_BEGINS, f->text, at))
		return false;
	f->finished = !strcmp(how, "finished");
	f->text[at] = '\0';
	return true;
}

static char *check_head(struct shard_records *r, struct file *f, char **at,
			const struct shard_of *of)
{
	char *program = take(at, "program: ");
	char *options = program ? take(at, "options: ") : NULL;
	char *number = options ? take(at, "shard: ") : NULL;
	unsigned int shards;

	if (!number || sscanf(number, "%u/%u", &f->shard, &shards) != 2 ||
	    !f->shard || f->shard > shards || !take(at, "--"))
		return text_print("%s is damaged; run that shard again",
				  f->path);
	if (strcmp(program, of->program))
		return text_print(
			"%s is of another program: the scenario, its -D, or "
			"Trapline itself were different when it was made",
			f->path);
	if (strcmp(options, of->options))
		return text_print(
			"%s was made with other options: %s; now they are: "
			"%s",
			f->path, options, of->options);
	if (r->shards && shards != r->shards)
		return text_print("%s is one of %u shards, and %s one of %u",
				  f->path, shards, r->file[0].path, r->shards);
	for (size_t i = 0; i < r->nr; i++)
		if (r->file[i].shard == f->shard)
			return text_print("%s and %s are both shard %u/%u",
					  r->file[i].path, f->path, f->shard,
					  shards);
	r->shards = shards;
	return NULL;
}

/* False: there is something that nobody writes. */
static bool find_parts(struct file *f, char *at)
{
	uint64_t section = 0;

	while (*at) {
		char *end = strchr(at, '\n'), again[8] = "";
		struct part p;

		if (!end)
			return false;
		if (sscanf(at, "part %u %7s", &p.number, again) >= 1) {
			p.section = section;
			p.record = *again ? NULL : end + 1;
			if (f->nr == f->room) {
				f->room = f->room * 2 + 64;
				f->part = need(reallocarray(f->part, f->room,
							    sizeof(*f->part)));
			}
			f->part[f->nr++] = p;
		} else if (!strncmp(at, "section ", 8)) {
			section = strtoull(at + 8, NULL, 16);
		}
		at = end + 1;
	}
	return true;
}

char *shard_records_add(struct shard_records *r, const char *path,
			const struct shard_of *of)
{
	struct file f = { .path = need(strdup(path)) };
	char *at, *wrong;
	size_t len;
	int major;

	wrong = read_all(&f, &len);
	if (wrong)
		return wrong;
	at = f.text;
	if (sscanf(f.text, "trapline %d shard\n", &major) != 1 ||
	    !take(&at, "trapline "))
		return text_print("%s:1: not the record of a shard; expected "
				  "'trapline %d shard'",
				  path, MAJOR);
	if (major != MAJOR)
		return text_print(
			"%s:1: format %d of records; this Trapline knows %d",
			path, major, MAJOR);
	at[-1] = '\n';
	if (!is_closed(&f, len))
		return text_print(
			"%s ends early, or is damaged; run that shard again",
			path);
	wrong = check_head(r, &f, &at, of);
	if (wrong)
		return wrong;
	if (!find_parts(&f, at))
		return text_print("%s is damaged; run that shard again", path);
	r->file = need(reallocarray(r->file, r->nr + 1, sizeof(*r->file)));
	r->file[r->nr++] = f;
	return NULL;
}

static const struct file *file_of(const struct shard_records *r,
				  unsigned int shard)
{
	for (size_t i = 0; i < r->nr; i++)
		if (r->file[i].shard == shard)
			return &r->file[i];
	return NULL;
}

char *shard_records_missing(const struct shard_records *r)
{
	for (unsigned int i = 1; i <= r->shards; i++)
		if (!file_of(r, i))
			return text_print(
				"the record of shard %u/%u is missing; it "
				"is made by --shard %u/%u",
				i, r->shards, i, r->shards);
	return NULL;
}

enum shard_found shard_records_find(const struct shard_records *r,
				    unsigned int shard, uint64_t section,
				    unsigned int part, const char **record)
{
	const struct file *f = file_of(r, shard);

	for (size_t i = 0; i < f->nr; i++) {
		const struct part *p = &f->part[i];

		if (p->section != section || p->number != part)
			continue;
		*record = p->record;
		return p->record ? SHARD_RECORD : SHARD_AGAIN;
	}
	return f->finished ? SHARD_UNKNOWN : SHARD_STOPPED;
}
