#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""mutate.py BUILD DIR - do the tests notice small mistakes in DIR's files?

./dev mutate calls it. Each mutant is compiled and linked by itself, in a folder that is
removed at the end; then run the tests that reach its lines, cheap ones first, until one
comes out otherwise than without it. Status 0: nine of ten were noticed, and equivalent.txt
says nothing that is not so; 1: not; 2: cannot be told.
"""
import argparse
import difflib
import os
import queue
import signal
import sys
import tempfile
import threading
import time
from collections import Counter

import mutants
import subject

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
VERDICTS = ["killed", "killed by time", "survived", "equivalent", "same code",
            "does not compile"]


def parse(argv):
    p = argparse.ArgumentParser(prog="./dev mutate", usage="%(prog)s DIR [OPTION...]",
                                description="Make small mistakes, see whether a test notices.")
    p.add_argument("build", help=argparse.SUPPRESS)
    p.add_argument("dir", help="a folder of the model, or a file: model/uprobes")
    p.add_argument("-n", type=int, default=150, metavar="N", help="how many mutants (150; 0: all)")
    p.add_argument("--from", type=int, default=0, metavar="K", dest="begin",
                   help="leave out the first K of the order in which they are drawn")
    p.add_argument("--only", action="append", default=[], metavar="ID", help="this one; may be repeated")
    p.add_argument("--tests", default="", metavar="REGEX", help="run these only, as in 'case ret_'")
    p.add_argument("--list", action="store_true", help="print all that there are, run nothing")
    p.add_argument("-j", type=int, default=os.cpu_count(), metavar="N", help="at once (CPUs)")
    p.add_argument("--equivalent", default=f"{TOP}/tests/mutate/equivalent.txt", metavar="FILE")
    p.add_argument("--table", metavar="FILE", help="where is kept which test reaches what")
    how = p.parse_args(argv)
    how.table = how.table or f"{how.build}/mutate/table.json"
    return how


def give_up(text):
    print(f"mutate: {text}", file=sys.stderr)
    sys.exit(2)


def collect(where, commands):
    """All mutants of a folder or file, and the texts of its files."""
    name = os.path.relpath(os.path.abspath(where), TOP)
    files = sorted({f for kind, f in commands if kind == "plain" and
                    (f == name or f.startswith(name + "/"))})
    if not files:
        give_up(f"{where}: no file of the model; try model/uprobes")
    texts, found = {}, []
    for file in files:
        with open(f"{TOP}/{file}") as f:
            texts[file] = f.read()
        found += mutants.enumerate_mutants(file, texts[file])
    return texts, found


def read_equivalents(path):
    """id -> (file, the changed text, reason). Blocks: a line `ID FILE`, diff lines, a reason."""
    known = {}
    with open(path) as f:
        blocks = f.read().split("\n\n")
    for block in blocks:
        lines = [l for l in block.splitlines() if not l.startswith("#")]
        if not lines:
            continue
        head = lines[0].split()
        changed = [l for l in lines[1:] if l[:1] in "-+"]
        reason = " ".join(l.strip() for l in lines[1:] if l[:1] not in "-+")
        if len(head) != 2 or not changed or not reason:
            give_up(f"{path}: '{lines[0]}': expected ID and file, lines with - and +, a reason")
        known[head[0]] = (head[1], changed, reason)
    return known


def diff(texts, m, context):
    a = texts[m.file].splitlines(True)
    b = mutants.mutate(texts[m.file], m).splitlines(True)
    return list(difflib.unified_diff(a, b, "a/" + m.file, "b/" + m.file, n=context))


def changed_lines(texts, m):
    """The diff without places and layout, as equivalent.txt has it."""
    lines = [l[0] + " ".join(l[1:].split()) for l in diff(texts, m, 0)[2:] if l[0] in "-+"]
    return [l for l in lines if l not in "-+"]


def stale_equivalents(known, texts, found):
    """What equivalent.txt says of the files that were read, and is not so."""
    by_id = {m.id: m for m in found}
    for key, (file, changed, _) in known.items():
        if file not in texts:
            continue
        if key not in by_id:
            yield f"{key} {file}: no such mutant any more"
        elif [l[0] + " ".join(l[1:].split()) for l in changed] != changed_lines(texts, by_id[key]):
            yield f"{key} {file}: is another mutant now"


def doubling(items):
    """One, two, four, ...: the first ones find most, and starting a program costs."""
    size = 1
    while items:
        yield items[:size]
        items = items[size:]
        size *= 2


def judge(subj, table, texts, m, where):
    """(verdict, what noticed it)."""
    text = f"{where}/mutant.c"
    with open(text, "w") as f:
        f.write(mutants.mutate(texts[m.file], m))
    objects = {}
    for kind in ("plain", "explore"):
        objects[kind] = f"{where}/{kind}.o"
        if not subj.compile(kind, m.file, text, objects[kind]):
            return "does not compile", ""
    changed = {kind for kind in objects
               if subj.code(objects[kind]) != subj.original(kind, m.file)}
    if not changed:
        return "same code", ""
    reaching = subj.reaching(table, m)
    cases = [t for t in reaching if t.kind == "case" and "plain" in changed]
    explorations = [t for t in reaching if t.kind == "explore" and "explore" in changed]
    if cases:
        subj.link_cases([objects["plain"]], f"{where}/cases")
    for some in doubling(cases):
        outcome, first = subj.run_cases(f"{where}/cases", some, where)
        if outcome.what != "pass":
            return ("killed by time" if outcome.late else "killed"), first
    lib = subj.library(where, objects["explore"], m.file) if explorations else None
    for test in explorations:
        cpu = max(subject.EXPLORE_CPU, int(10 * table[test.id]["seconds"]))
        outcome, _ = subj.run_exploration(lib, test, where, cpu)
        if outcome.what != table[test.id]["what"]:
            return ("killed by time" if outcome.late else "killed"), test.id
    return "survived", "" if reaching else "no test reaches it"


def judge_all(subj, table, texts, chosen, jobs):
    results, errors = {}, []
    todo = queue.Queue()
    for m in chosen:
        todo.put(m)
    for m in chosen:  # not by two workers at once
        for kind in ("plain", "explore"):
            subj.original(kind, m.file)

    def work(number):
        where = f"{subj.folder}/{number}"
        os.mkdir(where)
        try:
            while not errors:
                m = todo.get_nowait()
                verdict = judge(subj, table, texts, m, where)
                if errors:  # it may have been ended for that reason
                    return
                results[m.id] = verdict
                say(f"[{len(results)}/{len(chosen)}] {results[m.id][0]:16} {m.id} "
                    f"{m.file}:{m.lines[0]} {m.operator}  {results[m.id][1]}")
        except queue.Empty:
            pass
        except BaseException as e:  # the main thread tells
            errors.append(e)

    threads = [threading.Thread(target=work, args=(i,), daemon=True) for i in range(jobs)]
    for t in threads:
        t.start()
    try:
        while any(t.is_alive() for t in threads) and not errors:
            time.sleep(0.1)
    except BaseException as e:
        errors.append(e)
    while any(t.is_alive() for t in threads):
        if errors:
            subject.stop_all()
        time.sleep(0.05)
    if errors:
        raise errors[0]
    return results


def report(texts, chosen, results, stale):
    for m in chosen:
        if results[m.id][0] == "survived":
            print(f"\nsurvived: {m.id} {m.file}:{m.lines[0]} {m.function}, {m.operator}",
                  *filter(None, [results[m.id][1]]), sep="  ")
            print("".join(diff(texts, m, 2)), end="")
    print()
    for line in stale:
        print(f"equivalent.txt: {line}")
    count = Counter(verdict for verdict, _ in results.values())
    killed = count["killed"] + count["killed by time"]
    told = killed + count["survived"]
    same = count["equivalent"]
    print(", ".join(f"{count[v]} {v}" for v in VERDICTS if count[v]) + f"; {len(chosen)} mutants")
    if told:
        print(f"killed: {100 * killed / told:.1f} % of {told} that are not known to be equivalent; "
              f"equivalent: {100 * same / (told + same):.1f} %")
    good = not stale and 10 * killed >= 9 * told and 9 * same <= told
    return 0 if good else 1


def say(text):
    print(text, file=sys.stderr, flush=True)


def main(argv):
    how = parse(argv)
    with tempfile.TemporaryDirectory(prefix="trapline-mutate.") as folder:
        subj = subject.Subject(TOP, os.path.abspath(how.build), folder, how.tests)
        texts, found = collect(how.dir, subj.commands)
        if how.list:
            for m in found:
                print(f"{m.id} {m.file}:{m.lines[0]} {m.function}, {m.operator}: "
                      + " ".join(changed_lines(texts, m)))
            return 0
        known = read_equivalents(how.equivalent)
        stale = list(stale_equivalents(known, texts, found))
        order = sorted(found)
        chosen = order[how.begin:how.begin + how.n if how.n else None]
        if how.only:
            chosen = [m for m in order if m.id in how.only]
            if len(chosen) != len(set(how.only)):
                give_up(f"--only: not in {how.dir}; --list prints what there is")
        table = subj.table(how.table, say)
        results = {m.id: ("equivalent", "") for m in chosen if m.id in known}
        rest = [m for m in chosen if m.id not in known]
        results.update(judge_all(subj, table, texts, rest, max(1, how.j)))
        return report(texts, chosen, results, stale)


def interrupted(*_):
    raise KeyboardInterrupt


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, interrupted)
    try:
        status = main(sys.argv[1:])
    except KeyboardInterrupt:
        status = 130
    sys.exit(status)
