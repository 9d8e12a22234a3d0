// SPDX-License-Identifier: GPL-2.0-only
/*
 * fields.c - from a place inside an object to the field's name and type.
 */
#include "fields.h"

#include "debuginfo.h"

#include <dwarf.h>
#include <string.h>

static size_t member_offset(Dwarf_Die *member)
{
	Dwarf_Attribute attr;
	Dwarf_Word at = 0;

	if (dwarf_attr(member, DW_AT_data_member_location, &attr))
		dwarf_formudata(&attr, &at);
	return at;
}

static bool is_bit_field(Dwarf_Die *member)
{
	return dwarf_hasattr(member, DW_AT_bit_size);
}

static Dwarf_Word number(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	Dwarf_Word v = 0;

	if (dwarf_attr(die, name, &attr))
		dwarf_formudata(&attr, &v);
	return v;
}

/* Bit-fields are accessed by the unit: the names of all that it holds. */
static bool write_bit_fields(FILE *to, Dwarf_Die *type, size_t offset,
			     size_t size)
{
	bool any = false;
	Dwarf_Die child;

	if (dwarf_child(type, &child))
		return false;
	do {
		Dwarf_Word low = number(&child, DW_AT_data_bit_offset);
		Dwarf_Word end = low + number(&child, DW_AT_bit_size);

		if (dwarf_tag(&child) != DW_TAG_member ||
		    !is_bit_field(&child) || !dwarf_diename(&child) ||
		    end <= 8 * offset || low >= 8 * (offset + size))
			continue;
		if (to)
			fprintf(to, "%c%s", any ? '|' : '.',
				dwarf_diename(&child));
		any = true;
	} while (!dwarf_siblingof(&child, &child));
	return any;
}

/* First member that covers [offset, offset + size); counts all of them. */
static bool find_member(Dwarf_Die *type, size_t offset, size_t size,
			Dwarf_Die *member, Dwarf_Die *member_type, size_t *at,
			int *count)
{
	bool found = false;
	Dwarf_Die child, t;

	*count = 0;
	if (dwarf_child(type, &child))
		return false;
	do {
		size_t start;

		if (dwarf_tag(&child) != DW_TAG_member ||
		    !debuginfo_type_of(&child, &t))
			continue;
		(*count)++;
		if (is_bit_field(&child))
			continue;
		start = member_offset(&child);
		if (found || offset < start ||
		    offset + size > start + debuginfo_size(&t))
			continue;
		found = true;
		*member = child;
		*member_type = t;
		*at = start;
	} while (!dwarf_siblingof(&child, &child));
	return found;
}

/* Every level of the type holds one thing only: no name inside says more. */
static bool is_wrapper(Dwarf_Die *type, size_t size)
{
	Dwarf_Die member, inner = *type;
	size_t at;
	int count;

	if (debuginfo_size(type) != size)
		return false;
	while (dwarf_tag(&inner) == DW_TAG_structure_type ||
	       dwarf_tag(&inner) == DW_TAG_union_type) {
		Dwarf_Die t;

		if (!find_member(&inner, 0, size, &member, &t, &at, &count) ||
		    count != 1)
			return false;
		inner = t;
	}
	return dwarf_tag(&inner) != DW_TAG_array_type;
}

bool fields_path(FILE *to, Dwarf_Die *type, size_t offset, size_t size,
		 Dwarf_Die *found)
{
	size_t at, step, extent = size ? size : 1;
	Dwarf_Die member, inner;
	const char *name;
	int count;

	*found = *type;
	while (size || offset) {
		switch (dwarf_tag(found)) {
		case DW_TAG_structure_type:
		case DW_TAG_union_type:
			if (is_wrapper(found, extent))
				return false;
			if (!find_member(found, offset, extent, &member, &inner,
					 &at, &count)) {
				if (write_bit_fields(to, found, offset, extent))
					return false;
				goto rest;
			}
			name = dwarf_diename(&member);
			/* pthread_mutex_t and its like are opaque. */
			if (name && !strcmp(name, "__data"))
				return false;
			/* Anonymous members have no name of their own. */
			if (name && to)
				fprintf(to, ".%s", name);
			break;
		case DW_TAG_array_type:
			step = debuginfo_type_of(found, &inner)
				       ? debuginfo_size(&inner)
				       : 0;
			if (!step || offset % step + extent > step)
				goto rest;
			at = offset / step * step;
			if (to)
				fprintf(to, "[%zu]", offset / step);
			break;
		default:
			goto rest;
		}
		offset -= at;
		*found = inner;
	}
	return false;
rest:
	if (offset && to)
		fprintf(to, "+%zu", offset);
	return !offset && debuginfo_size(found) == size;
}

const char *fields_enumerator(Dwarf_Die *type, uint64_t value)
{
	Dwarf_Attribute attr;
	Dwarf_Sword v;
	Dwarf_Die child;

	if (dwarf_tag(type) != DW_TAG_enumeration_type ||
	    dwarf_child(type, &child))
		return NULL;
	do {
		if (dwarf_attr(&child, DW_AT_const_value, &attr) &&
		    !dwarf_formsdata(&attr, &v) && (int32_t)v == (int32_t)value)
			return dwarf_diename(&child);
	} while (!dwarf_siblingof(&child, &child));
	return NULL;
}
