# SPDX-License-Identifier: GPL-2.0-only
"""mutants.py - small mistakes that C text can have, enumerated mechanically.

Reads kernel-style C well enough to know statements and conditions of function
bodies; macros that head a loop are known by what follows them. A mutant has as many
lines as the original, so that places in it are places in the file.

Left out is what no test can notice: logs, assertions that hold, and the order of two
assignments that do not know each other.
"""
import hashlib
import re
from collections import Counter, namedtuple

# Replace text[start:end] by new. lines: first and last that are touched.
Mutant = namedtuple("Mutant", "id file function operator start end new lines")

TOKEN = re.compile(r"""
    (?P<skip>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:[^\n\\]|\\.)*)
  | (?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
  | (?P<number>\d\w*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<mark><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|[<>=!]=|&&|\|\||[-+*/%&|^]=|.)
""", re.X | re.S | re.M)

Token = namedtuple("Token", "kind text start end")

TYPE = re.compile(r"(struct|union|enum|const|static|unsigned|signed|int|long|short|char|"
                  r"bool|void|typeof|[us]\d+|\w+_t)$")
JUMP = {"return", "goto", "break", "continue"}
BARRIER = re.compile(r"(smp_|barrier)")
LOCK = re.compile(r"(_|^)(un)?lock|^(down|up)_|percpu_(down|up)|seqcount_(begin|end)|"
                  r"write_begin|write_end")
SILENT = re.compile(r"(pr_|printk|(WARN|BUG)(_ON)?(_ONCE)?$)")
# What differs in one value.
ORDER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)$")


def tokens(text):
    return [Token(m.lastgroup, m.group(), m.start(), m.end())
            for m in TOKEN.finditer(text) if m.lastgroup != "skip"]


class Body:
    """What is in the braces of one function."""

    def __init__(self, toks):
        self.toks = toks
        self.conditions = []  # (first token, last token)
        self.runs = []        # statements one after the other: [(first, last)]
        self.simple = []
        self.open = 0

    def text(self, i):
        return self.toks[i].text if i < len(self.toks) else ""

    def close(self, i):
        """The index of what closes the bracket at i."""
        depth = 0
        while True:
            if self.text(i) in ("(", "[", "{"):
                depth += 1
            elif self.text(i) in (")", "]", "}"):
                depth -= 1
                if not depth:
                    return i
            i += 1

    def block(self, i):
        """From behind a brace to the one that closes it."""
        run = []
        while self.text(i) != "}":
            first, simple = i, self.is_simple(i)
            i = self.statement(i)
            if simple and self.text(first) not in JUMP:
                run.append((first, i - 1))
            else:
                self.runs.append(run)
                run = []
        self.runs.append(run)
        return i

    def is_simple(self, i):
        return (self.text(i) not in ("{", "if", "while", "for", "do", "switch", "case",
                                     "default", ";")
                and self.text(i + 1) != ":" and not self.is_loop_macro(i)
                and not self.is_declaration(i) and not SILENT.match(self.text(i)))

    def is_loop_macro(self, i):
        if self.toks[i].kind != "word" or self.text(i + 1) != "(":
            return False
        behind = self.toks[self.close(i + 1) + 1]
        return behind.text == "{" or behind.kind == "word"

    def is_declaration(self, i):
        if self.text(i) in JUMP:
            return False
        if TYPE.match(self.text(i)):
            return True
        return self.toks[i].kind == self.toks[i + 1].kind == "word"

    def condition(self, i):
        """In the parentheses that open at i; what is behind them."""
        end = self.close(i)
        self.conditions.append((i + 1, end - 1))
        return end + 1

    def statement(self, i):
        """The index behind the statement at i."""
        word = self.text(i)
        if word == "{":
            return self.block(i + 1) + 1
        if word in ("if", "while"):
            i = self.statement(self.condition(i + 1))
            return self.statement(i + 1) if self.text(i) == "else" else i
        if word == "for":
            end = self.close(i + 1)
            marks = [k for k in range(i + 2, end) if self.text(k) == ";"]
            if marks[1] > marks[0] + 1:
                self.conditions.append((marks[0] + 1, marks[1] - 1))
            return self.statement(end + 1)
        if word == "do":
            return self.condition(self.statement(i + 1) + 1) + 1
        if word == "switch" or self.is_loop_macro(i):
            return self.statement(self.close(i + 1) + 1)
        if word in ("case", "default") or self.text(i + 1) == ":":
            while self.text(i) != ":":
                i += 1
            return i + 1
        first, simple = i, self.is_simple(i)
        while self.text(i) != ";":
            i = (self.close(i) if self.text(i) in ("(", "[", "{") else i) + 1
        if simple:
            self.simple.append((first, i))
        return i + 1


def functions(toks):
    """(name, Body) of every function in the file."""
    depth = 0
    for i, t in enumerate(toks):
        if t.text == "{" and not depth and toks[i - 1].text == ")":
            k, nested = i - 1, 0
            while True:
                nested += {")": 1, "(": -1}.get(toks[k].text, 0)
                if not nested:
                    break
                k -= 1
            body = Body(toks)
            end = body.block(i + 1)
            body.span = (i + 1, end)
            yield toks[k - 1].text, body
        depth += {"{": 1, "}": -1}.get(t.text, 0)


def dropped(body, first):
    word = body.text(first)
    if BARRIER.match(word):
        return "drop barrier"
    if LOCK.search(word) and body.text(first + 1) == "(":
        return "drop lock"
    return "drop statement"


def assigned(toks):
    """What a statement that only assigns assigns to, as tokens; None: it may do more."""
    texts = [t.text for t in toks]
    if "=" not in texts or "(" in texts:
        return None
    return texts[:texts.index("=")]


def occurs(part, toks):
    texts = [t.text for t in toks]
    return any(texts[i:i + len(part)] == part for i in range(len(texts)))


def independent(one, two):
    a, b = assigned(one), assigned(two)
    return a and b and not occurs(a, two) and not occurs(b, one)


def edits(text, body):
    """(operator, start, end, new text), in any order."""
    toks = body.toks
    last = body.span[1] - 1
    for a, b in body.simple:
        # Without its last return a function has any result: says nothing.
        if not (toks[a].text == "return" and b == last):
            yield dropped(body, a), toks[a].start, toks[b].end, ";"
    for run in body.runs:
        for (a, b), (c, d) in zip(run, run[1:]):
            one = text[toks[a].start:toks[b].end]
            two = text[toks[c].start:toks[d].end]
            if one != two and not independent(toks[a:b + 1], toks[c:d + 1]):
                yield ("swap statements", toks[a].start, toks[d].end,
                       two + text[toks[b].end:toks[c].start] + one)
    for a, b in body.conditions:
        inner = text[toks[a].start:toks[b].end]
        yield "negate condition", toks[a].start, toks[b].end, f"!({inner})"
    for i in range(*body.span):
        t = toks[i]
        number = INTEGER.match(t.text)
        if t.kind == "number" and number:
            yield ("off by one", t.start, t.end,
                   str(int(number.group(1), 0) + 1) + number.group(2))
        elif t.kind == "mark" and t.text in ORDER:
            yield "off by one", t.start, t.end, ORDER[t.text]


def mutate(text, mutant):
    new = mutant.new
    missing = text[mutant.start:mutant.end].count("\n") - new.count("\n")
    return text[:mutant.start] + new + "\n" * missing + text[mutant.end:]


def enumerate_mutants(file, text):
    """All of a file, in the order of their places. file: its name in the tree."""
    lines = text.splitlines()
    seen = Counter()
    found = []
    for name, body in functions(tokens(text)):
        for operator, start, end, new in sorted(edits(text, body), key=lambda e: e[1:]):
            first = text.count("\n", 0, start) + 1
            final = first + text.count("\n", start, end)
            # By the text of the lines, not their numbers: an id lives as long as they do.
            what = (file, name, operator, " ".join(
                "\n".join(lines[first - 1:final]).split()), " ".join(new.split()))
            seen[what] += 1
            digest = hashlib.sha256(repr((what, seen[what])).encode()).hexdigest()
            found.append(Mutant(digest[:10], file, name, operator, start, end, new,
                                (first, final)))
    return found
