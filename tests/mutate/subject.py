# SPDX-License-Identifier: GPL-2.0-only
"""subject.py - the model with one file replaced, and the tests that reach a line.

Nothing is written outside of a folder of our own and build/mutate/. A replaced file
is one object, in front of the archives: the linker then leaves the original out.
"""
import glob
import hashlib
import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import time
from collections import namedtuple

# Of a test: id, the command and environment it takes, and how much it costs.
Test = namedtuple("Test", "id kind argv env")
# How a test went: what tells right from wrong, and whether time ended it.
Outcome = namedtuple("Outcome", "what late")

CASE_CPU = 5         # seconds, of cases that take milliseconds
EXPLORE_CPU = 30     # at least; else a multiple of what it takes
WALL = 600           # for who sleeps forever

running = set()      # process groups, so that all can be ended


def stop_all():
    for group in list(running):
        try:
            os.killpg(group, signal.SIGKILL)
        except ProcessLookupError:
            pass


def run(argv, cpu=None, **more):
    """(status, output) of a command in a process group of its own."""
    def limit():
        if cpu:
            resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    p = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, start_new_session=True,
                         preexec_fn=limit, **more)
    running.add(p.pid)
    try:
        out = p.communicate(timeout=WALL)[0]
    except BaseException as e:
        os.killpg(p.pid, signal.SIGKILL)
        p.communicate()
        if not isinstance(e, subprocess.TimeoutExpired):
            raise
        return None, ""
    finally:
        running.discard(p.pid)
    return p.returncode, out.decode(errors="replace")


def must(argv, **more):
    status, out = run(argv, **more)
    if status:
        raise SystemExit(f"mutate: failed: {shlex.join(argv)}\n{out}")
    return out


def digest(top, *paths):
    """Of files and of all that folders hold; the same wherever the tree lies."""
    h = hashlib.sha256()
    for path in paths:
        names = [path] if os.path.isfile(path) else sorted(
            glob.glob(path + "/**/*.[ch]", recursive=True))
        for name in names:
            with open(name, "rb") as f:
                h.update(os.path.relpath(name, top).encode() + b"\0" + f.read())
    return h.hexdigest()


class Subject:
    def __init__(self, top, build, folder, wanted):
        self.top, self.build, self.folder = top, build, folder
        with open(f"{build}/compile_commands.json") as f:
            commands = json.load(f)
        self.commands = {}
        for c in commands:
            for kind in ("plain", "explore"):
                if f"trapline_model_{kind}.dir/" in c["command"]:
                    name = os.path.relpath(c["file"], top)
                    self.commands[kind, name] = shlex.split(c["command"])
        with open(f"{build}/tests/mutate/link") as f:
            self.link = f.read().split()
        self.objects = {}
        self.trapline = f"{build}/trapline"
        self.tests = [t for t in self.cases() + self.explorations() if re.search(wanted, t.id)]

    # ---- tests ---------------------------------------------------------------

    def cases(self):
        with open(f"{self.top}/tests/model/uprobes/cases.h") as f:
            names = [l.split("(")[1].split(")")[0] for l in f if l.startswith("\tX(")]
        return [Test(f"case {n}", "case", [],
                     {"CK_INCLUDE_TAGS": n, "CK_FORK": "yes", "CK_DEFAULT_TIMEOUT": "300"})
                for n in names]

    def explorations(self):
        listed = json.loads(must(["ctest", "--test-dir", self.build, "--show-only=json-v1"]))
        found = []
        for test in listed["tests"]:
            if (test["name"].startswith("model/uprobes/") and
                    test["command"][1] == "explore"):
                found.append(Test("explore " + test["name"].split("/")[2], "explore",
                                  test["command"][2:], {}))
        for folder in sorted(glob.glob(f"{self.top}/traces/races/*/")):
            with open(folder + "expect") as f:
                expect = dict(l.strip().split(": ", 1) for l in f if ": " in l)
            found.append(Test(f"race {os.path.basename(folder[:-1])}", "explore",
                              [folder + "scenario.c", "--memory", expect["memory"]], {}))
        return found

    def run_cases(self, program, tests, where):
        """Some at a time; the outcome, and the name of the first that failed."""
        tags = " ".join(t.env["CK_INCLUDE_TAGS"] for t in tests)
        status, out = run([program], cpu=CASE_CPU, cwd=where,
                          env={**os.environ, **tests[0].env, "CK_INCLUDE_TAGS": tags})
        if status == 0:
            return Outcome("pass", False), ""
        failed = set(re.findall(r":[FE]:[0-9.]+:test_(\w+):", out))
        first = [t.id for t in tests if t.env["CK_INCLUDE_TAGS"] in failed] or [tests[0].id]
        return Outcome("fail", status is None), first[0]

    def run_exploration(self, lib, test, where, cpu=EXPLORE_CPU):
        """The outcome, and the object that ends its report (None: it has none)."""
        env = {**os.environ, "XDG_CACHE_HOME": where, "TRAPLINE_SOURCE": self.top,
               "TRAPLINE_LIB": lib, "TMPDIR": where}
        status, out = run([self.trapline, "explore", *test.argv, "--format", "json", "-q",
                           "--cover", "--schedule-out", where + "/found.sched"],
                          cpu=cpu, cwd=where, env=env)
        try:
            report = json.loads(out.strip().splitlines()[-1])
        except (ValueError, IndexError):
            return Outcome(f"status {status}", status in (None, -9, -24)), None
        return Outcome(f"{report['verdict']} {report.get('kind', '')}".strip(), False), report

    # ---- building ------------------------------------------------------------

    def compile(self, kind, name, text_file, out, *more):
        argv = list(self.commands[kind, name])
        if os.path.basename(argv[0]) == "ccache":
            argv = argv[1:]
        argv[argv.index("-o") + 1] = out
        argv[argv.index("-c") + 1] = text_file
        argv += ["-w", "-Wno-error", "-iquote", os.path.dirname(f"{self.top}/{name}"),
                 f"-ffile-prefix-map={text_file}={self.top}/{name}", *more]
        env = {**os.environ, "TMPDIR": os.path.dirname(out)}
        return run(argv, cwd=self.folder, env=env)[0] == 0

    def code(self, obj):
        """What of an object runs."""
        must(["objcopy", "--strip-debug", obj, obj + ".code"])
        with open(obj + ".code", "rb") as f:
            return f.read()

    def original(self, kind, name):
        if (kind, name) not in self.objects:
            out = f"{self.folder}/original-{kind}-{name.replace('/', '-')}.o"
            if not self.compile(kind, name, f"{self.top}/{name}", out):
                raise SystemExit(f"mutate: {name} does not compile")
            self.objects[kind, name] = self.code(out)
        return self.objects[kind, name]

    def link_cases(self, objects, program):
        env = {**os.environ, "TMPDIR": os.path.dirname(program)}
        must([self.link[0], "-o", program, self.link[1], *objects, *self.link[2:]],
             env=env)

    def library(self, where, obj, name):
        """A folder of archives whose model has obj for the file."""
        lib = where + "/lib"
        shutil.rmtree(lib, ignore_errors=True)
        os.mkdir(lib)
        for path in glob.glob(f"{self.build}/lib/*.a"):
            os.symlink(path, f"{lib}/{os.path.basename(path)}")
        model = f"{lib}/libtrapline_model_explore.a"
        os.unlink(model)
        shutil.copy(f"{self.build}/lib/libtrapline_model_explore.a", model)
        member = f"{lib}/{os.path.basename(name)}.o"
        shutil.copy(obj, member)
        must(["ar", "r", model, member])
        return lib

    # ---- which test reaches what ---------------------------------------------

    def table(self, path, say):
        """Per test: digest of what it depends on, cost, and what it reaches."""
        try:
            with open(path) as f:
                table = json.load(f)
        except (OSError, ValueError):
            table = {}
        model = [f"{self.top}/{d}" for d in ("arch", "model", "sim/explore")]
        cases = digest(self.top, *model, f"{self.top}/tests/model")
        begun = time.time()
        covered = None
        for i, test in enumerate(self.tests):
            key = cases if test.kind == "case" else digest(
                self.top, *model, *filter(os.path.isfile, test.argv))
            if table.get(test.id, {}).get("key") == key:
                continue
            say(f"what reaches what: {i + 1} of {len(self.tests)}, {test.id}")
            if test.kind == "case":
                covered = covered or self.build_covered()
                row = self.reach_of_case(covered, test)
            else:
                row = self.reach_of_exploration(test)
            table[test.id] = {"key": key, **row}
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".new", "w") as f:
            json.dump(table, f)
        os.replace(path + ".new", path)
        say(f"what reaches what: {time.time() - begun:.0f} s")
        return table

    def build_covered(self):
        where = f"{self.folder}/covered"
        os.mkdir(where)
        objects = []
        for kind, name in sorted(self.commands):
            if kind == "plain":
                out = f"{where}/{name.replace('/', '-')}.o"
                if not self.compile(kind, name, f"{self.top}/{name}", out, "--coverage", "-O0"):
                    raise SystemExit(f"mutate: {name} does not compile with --coverage")
                objects.append(out)
        self.link_cases([*objects, "--coverage"], where + "/cases")
        return where

    def reach_of_case(self, where, test):
        for old in glob.glob(where + "/*.gcda"):
            os.unlink(old)
        outcome, _ = self.run_cases(where + "/cases", [test], where)
        if outcome.what != "pass":
            raise SystemExit(f"mutate: {test.id} fails without any mutant")
        data = sorted(glob.glob(where + "/*.gcda"))
        out = must(["gcov", "--json-format", "--stdout", *data], cwd=where) if data else ""
        lines = {}
        for one in out.splitlines():
            for f in json.loads(one)["files"]:
                name = os.path.relpath(f["file"], self.top)
                hit = sorted({l["line_number"] for l in f["lines"] if l["count"]})
                if hit and name.endswith(".c"):
                    lines[name] = hit
        return {"cost": 0, "what": outcome.what, "lines": lines}

    def reach_of_exploration(self, test):
        where = f"{self.folder}/reach"
        os.makedirs(where, exist_ok=True)
        outcome, report = self.run_exploration(f"{self.build}/lib", test, where, cpu=600)
        if not report:
            raise SystemExit(f"mutate: {test.id} fails without any mutant: {outcome.what}")
        never = {}
        for f in report["cover"]:
            never[f["file"]] = {
                "functions": f["not_reached"],
                "lines": [int(b.split(":")[0]) for b in f["branches_not_reached"]],
            }
        return {"cost": report["executions"] + report["blocked"],
                "seconds": report["seconds"], "what": outcome.what, "never": never}

    def reaching(self, table, mutant):
        """The tests that may notice, cheap ones first."""
        first, last = mutant.lines
        touched = set(range(first, last + 1))
        known = set()
        for test in self.tests:
            row = table[test.id]
            known |= touched & set(row.get("lines", {}).get(mutant.file, []))
        found = []
        for test in self.tests:
            row = table[test.id]
            if test.kind == "case":
                if known & set(row["lines"].get(mutant.file, [])):
                    found.append((0, test))
            elif mutant.file in row["never"]:
                never = row["never"][mutant.file]
                if mutant.function not in never["functions"] and first not in never["lines"]:
                    found.append((1 + row["cost"], test))
        return [test for _, test in sorted(found, key=lambda e: e[0])]
