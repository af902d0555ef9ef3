"""Makes ids-random.json, threads-random.json, unicode.json, inbox-random.json
and, in the folder canon, compositions.json.

Run it anywhere with CPython 3.11 or later: it writes beside its own folder.
The expectations come from CPython's json, hashlib, unicodedata, re and str
methods, and from the text of SAMP v1 alone; no code of this project plays a
part. Every run gives the same files. Tests read the files and never run this.
"""

import hashlib
import json
import random
import re
import sys
import unicodedata
from pathlib import Path

OUT = Path(__file__).resolve().parent.parent
DATE = "2026-04-25"
ALNUM = set("abcdefghijklmnopqrstuvwxyz0123456789")


def points():
    """Every character that UTF-8 text can hold."""
    for c in range(0x110000):
        if not 0xD800 <= c <= 0xDFFF:
            yield chr(c)


SPACES = [c for c in points() if c.isspace()]
BREAKS = [c for c in points() if len(("a" + c + "b").splitlines()) > 1]
LETTERS = [c for c in points() if ord(c) > 0x7F and set(c.lower()) & ALNUM]


def dump(name, value):
    text = json.dumps(value, ensure_ascii=True, indent=1)
    (OUT / name).write_text(text + "\n", encoding="ascii")


# --- ids (I1, I2) ---

CONTROLS = [chr(c) for c in range(0x20)]
ODD = list('"\\/<>&\x7f\x80\x9f\xa0\xad') + list("\u2028\u2029\u200b\u200d\u202e\ufeff\ufffd\uffff\ufdd0")
WIDE = list("\U0001f600\U0001f1f3\U0001f1f1\U00010000\U0010ffff\U0001d15e\U0002f800")
MARKS = list("\u0300\u0301\u0307\u0308\u0323\u0327\u0328\u0345\u05b0\u064b\u0f71\u3099\u1161\u11a8\u20d2")
BASES = list("aeiouAEOSsc\u00e9\u00c5\u212b\u1e9b\u03b1\u0915\u1100\uac00\u304b\u0627\u2126\ufb01\u0958")
WORDS = ["fix", " ", "\n", "login", "```go\n", "caf\u00e9", "cafe\u0301", "\u65e5\u672c\u8a9e", "\u05e9\u05dc\u05d5\u05dd", "\r\n", "\t"]


def text(rng, most):
    out = []
    for _ in range(rng.randrange(most)):
        pool = rng.choice([CONTROLS, ODD, WIDE, BASES, MARKS, WORDS, WORDS])
        out.append(rng.choice(pool))
        if pool is BASES:
            out.extend(rng.choice(MARKS) for _ in range(rng.randrange(4)))
    return "".join(out)


def alias(rng):
    rest = "".join(rng.choice("abcXYZ019._-") for _ in range(rng.randrange(10)))
    return rng.choice("abcXYZ019") + rest


def digest(fields, nfc=False, **form):
    if nfc:
        fields = {**fields, "body": unicodedata.normalize("NFC", fields["body"])}
    canonical = json.dumps(fields, sort_keys=True, **form)
    return hashlib.sha256(canonical.encode("utf-8")).hexdigest()[:16]


COMPACT = (",", ":")


def ids():
    rng = random.Random("ids")
    vectors = []
    bodies = CONTROLS + ODD + WIDE + MARKS + BASES + [c + m for c in BASES for m in MARKS]
    bodies += [text(rng, 40) for _ in range(300)]
    for i, body in enumerate(bodies):
        r = {
            "ts": rng.choice([0, 1, -1, 1777075200 + i, 2**31, 2**53 + 1, 2**63 - 1, -(2**63)]),
            "from": alias(rng),
            "to": alias(rng),
            "thread": rng.choice(["t", "", DATE + "-a-b", text(rng, 6)]),
            "body": body,
        }
        keys = list(r)
        rng.shuffle(keys)
        line = json.dumps(
            {k: r[k] for k in keys},
            ensure_ascii=rng.random() < 0.5,
            separators=rng.choice([None, COMPACT]),
        )
        vectors.append(
            {
                "line": line,
                "spaced": digest(r, ensure_ascii=False),
                "compact": digest(r, nfc=True, ensure_ascii=False, separators=COMPACT),
                "unnormalised": digest(r, ensure_ascii=False, separators=COMPACT),
                "ascii": [
                    digest(r),
                    digest(r, separators=COMPACT),
                    digest(r, nfc=True, separators=COMPACT),
                ],
            }
        )
    return {
        "comment": "line: one record without id; spaced, compact, unnormalised, ascii: its id in each form",
        "vectors": vectors,
    }


# --- the normal form that compact ids hash (I1) ---


def compositions():
    """All that composes, Hangul apart, and long runs of marks in company."""
    rng = random.Random("compositions")
    nfc = lambda s: unicodedata.normalize("NFC", s)
    nfd = lambda s: unicodedata.normalize("NFD", s)
    texts = [nfd(c) for c in points() if nfd(c) != c == nfc(c) and not "\uac00" <= c <= "\ud7a3"]
    texts += ["\u1100\u1161", "\u1112\u1175\u11c2", "\uac00\u11a8", "\uac01\u11a8", "\u1100\u1161\u0301\u11a8"]
    for _ in range(150):
        parts = [text(rng, 6), rng.choice(BASES) + "".join(rng.choice(MARKS) for _ in range(rng.randrange(9, 60))), text(rng, 6)]
        rng.shuffle(parts)
        texts.append("".join(parts))
    return {"comment": "in, nfc: a text and its normal form", "vectors": [{"in": x, "nfc": nfc(x)} for x in texts]}


# --- threads (T1, T2) ---

OVERRIDE = re.compile(r"\s*\[thread:([^\]]+)\]\s*")


def slug(body):
    first = body.splitlines()[0] if body else ""
    return re.sub("[^a-z0-9]+", "-", first.lower()).strip("-")[:40] or "msg"


def first_form(body, frm):
    m = OVERRIDE.match(body)
    if m:
        return m.group(1).strip(), body[m.end() :]
    return f"{DATE}-{frm}-{slug(body)}", body


def rev_form(body, frm):
    m = OVERRIDE.match(body)
    if m:
        body = body[m.end() :]
        name = "".join(c for c in m.group(1) if c > "\x1f" and c != "\x7f").strip()
        if name:
            return name, body
    return f"{DATE}-{frm}-{slug(body)}", body


def threads():
    rng = random.Random("threads")
    special = SPACES + BREAKS + LETTERS + CONTROLS + ["\x7f", "\u0307", "\u03a3", "\u1e9e", "\ufb01", "\uff21", "\u2160", "\u00b2"]
    bodies = []
    for c in dict.fromkeys(special):
        bodies += [
            c,
            "a" + c + "b",
            c + "tail",
            "Head " + c,
            c + "[thread:x]" + c + "rest" + c,
            "[thread:" + c + "]rest",
            "[thread:" + c + "a" + c + "b" + c + "] rest",
        ]
    bodies += [
        "[thread:]x", "[thread:]]x", "[thread:a", "[thread:a\nb] c", "[Thread:a] b", "[thread :a] b",
        "x [thread:a] b", "[thread:[a]] b", "[thread:a][thread:b] c", "[thread: ][thread:b] c", "[thread: ]",
        "[thread:\t\n ] Title\nmore", "[thread:a]", "[thread:../../etc/passwd] x", "[thread:\u202ea] x",
        "-" * 50, "a-" * 30, "a" * 39 + " b", "a" * 40 + " b", "a" * 38 + "!!bc", " " * 60 + "deep",
        "\u0130" * 30, "\u0130" * 39 + "x", "a" * 39 + "\u0130", "a" * 40 + "\u0130", "\u212a" * 45, "A\u0130\u212aZ", "9\u0130",
    ]
    pieces = ["a", "Z", "0", "-", "  ", "\u00df", "\u0130", "\u212a", "[thread:", "]", "x y", "\U0001f600"] + SPACES[:12]
    for _ in range(250):
        bodies.append("".join(rng.choice(pieces) for _ in range(rng.randrange(60))))
    vectors = []
    for body in dict.fromkeys(bodies):
        frm = alias(rng)
        one, two = first_form(body, frm), rev_form(body, frm)
        vectors.append({"body": body, "from": frm, "v1": list(one), "compact": list(two)})
    return {"comment": "v1, compact: thread and stored body; the date is " + DATE, "vectors": vectors}


# --- tables over all of Unicode (T1, T2, I2) ---


def runs(chars):
    out = []
    for c in map(ord, chars):
        if out and out[-1][1] == c - 1:
            out[-1][1] = c
        else:
            out.append([c, c])
    return out


def escapes(**form):
    h = hashlib.sha256()
    for c in points():
        h.update(json.dumps(c, **form).encode("utf-8"))
    return h.hexdigest()


def tables():
    slugs = {}
    for c in points():
        s = slug("x" + c + "y")
        if s != "x-y":
            slugs[f"{ord(c):04X}"] = s
    return {
        "comment": "spaces: str.isspace; breaks: str.splitlines; slugs: the slug of x, the character, y where it is not x-y;"
        " raw, ascii: SHA-256 over json.dumps of every character in turn",
        "spaces": runs(SPACES),
        "breaks": runs(BREAKS),
        "slugs": slugs,
        "raw": escapes(ensure_ascii=False),
        "ascii": escapes(),
    }


# --- inboxes (N2, N3, S1), by SAMP v1 section 6 word for word ---


def inbox(logs, me, mark):
    seen, fresh = set(), []
    for name in sorted(logs):
        for line in logs[name].split("\n"):
            try:
                r = json.loads(line)
            except ValueError:
                continue
            if not isinstance(r, dict) or r.get("to") != me:
                continue
            key = r.get("id") or digest({k: r[k] for k in ("ts", "from", "to", "thread", "body")}, ensure_ascii=False)
            if key in seen:
                continue
            seen.add(key)
            if r["ts"] < mark["ts"] or (r["ts"] == mark["ts"] and key in mark["ids"]):
                continue
            fresh.append((r["ts"], key))
    fresh.sort(key=lambda f: f[0])
    if not fresh:
        return [], mark
    ts = fresh[-1][0]
    have = {key for at, key in fresh if at == ts}
    if ts == mark["ts"]:
        have |= set(mark["ids"])
    return [key for _, key in fresh], {"ts": ts, "ids": sorted(have)}


def inboxes():
    rng = random.Random("inbox")
    cases = []
    for _ in range(80):
        names = ["alice", "bob", "carol", "dave.dev"]
        logs = {f"log-{n}.jsonl": "" for n in names}
        lines = {n: [] for n in names}
        rounds, mark = [], {"ts": 0, "ids": []}
        clock = 1777075200
        for _ in range(3):
            for _ in range(rng.randrange(12)):
                clock += rng.choice([0, 0, 0, 1])
                frm = rng.choice(names)
                r = {"ts": clock, "from": frm, "to": rng.choice(["bob", "bob", "carol"]), "thread": "t", "body": text(rng, 4)}
                if rng.random() < 0.8:
                    r = {"id": digest(r, ensure_ascii=False), **r}
                if rng.random() < 0.2:
                    r["priority"] = rng.choice(["high", None, 1.5, {"to": "bob"}])
                line = json.dumps(r, ensure_ascii=rng.random() < 0.3)
                lines[frm].append(line)
                if rng.random() < 0.2:
                    lines[frm].append(rng.choice([line, "{torn", "", "[1]", "null"]))
            logs = {f"log-{n}.jsonl": "".join(x + "\n" for x in lines[n]) for n in names}
            shown, mark = inbox(logs, "bob", mark)
            rounds.append({"logs": logs, "shown": shown, "mark": mark})
        cases.append(rounds)
    return {"comment": "bob reads three times; each round starts from the mark of the one before", "cases": cases}


if __name__ == "__main__":
    if sys.version_info < (3, 11):
        sys.exit("vectors.py needs CPython 3.11 or later")
    dump("ids-random.json", ids())
    dump("../canon/compositions.json", compositions())
    dump("threads-random.json", threads())
    dump("unicode.json", tables())
    dump("inbox-random.json", inboxes())
