"""How kioku-reader reads a text, as `src/embed` and `src/index/passage.rs` do it: tokens, and passages of an entry.

English by WordPiece, Vietnamese by syllables and words of two, each word in the language of the words around it.
"""

import math
import re
import unicodedata

MARKS = 2  # rows 0 and 1 of the embeddings are [CLS] and [SEP]
LONGEST = 254  # pieces of a text that are read
LEAST_KNOWN, ENOUGH_WORDS = 0.4, 3
ENGLISH, VIETNAMESE, UNACCENTED = range(3)
ZIPF = ((50.0, 1.9), (10.0, 1.9), (10.0, 1.7))
UNKNOWN, ACCENTED, CHANGE, CHANGE_ACCENTS, START_UNACCENTED, PAIR = 12.5, 15.0, 4.5, 3.0, 1.5, 4.0
ABBREVIATIONS = dict(
    ck="chồng", cx="cũng", dc="được", hok="không", khum="không", ko="không", mik="mình", mk="mình", ms="mới",
    ng="người", ns="nói", nx="nữa", trc="trước", vk="vợ", vs="với", đc="được",
)  # fmt: skip
TONES = "\u0300\u0301\u0303\u0309\u0323"
LETTERS, DIGITS, OTHER = "letters", "digits", "other"


def nfc(text):
    return unicodedata.normalize("NFC", text)


def nfd(text):
    return unicodedata.normalize("NFD", text)


def is_combining(c):
    return unicodedata.category(c)[0] == "M"


def without_marks(word):
    return "".join(c for c in nfd(word) if not is_combining(c))


def unaccented(word):
    return without_marks(word).replace("đ", "d")


def kind_of(c):
    category = unicodedata.category(c)
    if c.isspace() or category == "Cc":
        return None
    if category[0] == "L" or category == "Nl":
        return LETTERS
    return DIGITS if category[0] == "N" else OTHER


def one_spelling(syllable):
    last, before = syllable[-1:], syllable[:-1]
    if last in tuple("àáãảạèéẽẻẹ"):
        moved = before.endswith("o")
    else:
        moved = last in tuple("ỳýỷỹỵ") and before.endswith("u") and not before.endswith("qu")
    if moved:
        marks = list(nfd(syllable))
        if len(marks) >= 2 and marks[-1] in TONES:
            marks.insert(len(marks) - 2, marks.pop())
        return nfc("".join(marks))
    return syllable


def words(text):
    """(kind, plain, accented, stripped, place) for each run of letters, digits and everything else."""
    found, run, marked, kind, stripped, start = [], "", "", None, False, 0
    for at, original in enumerate(text + " "):
        for c in nfd(original.lower()):
            if is_combining(c):
                if kind == LETTERS:
                    if not stripped:
                        marked, stripped = run, True
                    marked += c
                continue
            following = kind_of(c)
            if following != kind:
                if kind:
                    found.append((kind, run, nfc(marked) if stripped else run, stripped, (start, at)))
                run, kind, stripped, start = "", following, False, at
            if kind:
                run += c
                if stripped:
                    marked += c
    return found


class Tokenizer:
    def __init__(self, lines, accented, unaccented_count):
        english = lines[: len(lines) - accented - unaccented_count]
        self.first = (0, len(english), len(english) + accented)
        self.pieces, self.inner = {}, {}
        for number, piece in enumerate(english):
            if piece.startswith("##") and len(piece) > 2:
                self.inner[piece[2:]] = number
            else:
                self.pieces[piece] = number
        bare = [p[2:] if p.startswith("##") and len(p) > 2 else p for p in english]
        self.letters = next((i for i, p in enumerate(bare) if len(p) > 1), len(bare))
        self.longest = max(map(len, bare))
        self.words = (
            self.pieces,
            {word: n for n, word in enumerate(lines[self.first[1] : self.first[2]])},
            {word: n for n, word in enumerate(lines[self.first[2] :])},
        )

    def cut(self, word):
        if len(word.encode()) > 64:
            return []
        rows, start = [], 0
        while start < len(word):
            known = self.inner if rows else self.pieces
            for end in range(min(len(word), start + self.longest), start, -1):
                if word[start:end] in known:
                    rows.append(known[word[start:end]])
                    start = end
                    break
            else:
                return []
        return rows

    def ids(self, text):
        """The rows of a text with its marks, or None where the program refuses to read it."""
        return self.read(text)[0]

    def read(self, text):
        """The same, and the words of the text: (spelling, first token, end of its tokens)."""
        return self.places(text)[:2]

    def places(self, text):
        """The same, and the characters of the text that each token stands for, those of the marks empty."""
        runs, spelled, spans = [], [], []
        for kind, plain, accented, stripped, place in words(text.encode()[: 1 << 14].decode(errors="ignore")):
            folded = plain
            if kind == LETTERS:
                whole = ABBREVIATIONS.get(plain)
                if whole:
                    accented, folded = whole, unaccented(whole)
                else:
                    accented = one_spelling(accented) if stripped else plain
                    folded = plain.replace("đ", "d")
            runs.append((kind, plain, accented, folded, stripped, place))
        languages = self.languages(runs)
        rows, count, letters, known_count, known_letters = [], 0, 0, 0, 0
        at = 0
        while at < len(runs):
            kind, plain, accented, folded, stripped, place = runs[at]
            language = languages[at]
            at += 1
            before = len(rows) + 1
            if kind == DIGITS:
                rows += self.cut(plain)
                spans += [place] * (len(rows) - len(spans))
                spelled.append((plain, before, len(rows) + 1))
                continue
            if kind == OTHER:
                for c in plain:
                    rows += self.cut(c)
                spans += [place] * (len(rows) - len(spans))
                continue
            count, letters = count + 1, letters + len(plain)
            if language == ENGLISH:
                number = self.words[1].get(accented) if stripped else None
                own = [number + self.first[1]] if number is not None else self.cut(plain)
                known = len(own) == 1 and not stripped
            else:
                form = 2 if language == VIETNAMESE else 3
                following = runs[at] if at < len(runs) and languages[at] == language else None
                if following and following[0] == LETTERS:
                    pair = self.words[language].get(f"{runs[at - 1][form]} {following[form]}")
                    if pair is not None:
                        rows.append(pair + self.first[language])
                        spans.append((place[0], following[5][1]))
                        spelled += [(accented, before, before + 1), (following[2], before, before + 1)]
                        count, letters = count + 1, letters + len(following[1])
                        known_count, known_letters = known_count + 2, known_letters + len(plain) + len(following[1])
                        at += 1
                        continue
                number = self.words[language].get(runs[at - 1][form])
                own = [number + self.first[language]] if number is not None else self.cut(plain)
                known = len(own) == 1 and (not stripped or own[0] >= self.first[1])
            rows += own
            spans += [place] * len(own)
            spelled.append((accented, before, len(rows) + 1))
            if known:
                known_count, known_letters = known_count + 1, known_letters + len(plain)
        if not rows:
            return None, [], []
        if count >= ENOUGH_WORDS and (known_count / count + known_letters / letters) / 2 < LEAST_KNOWN:
            return None, [], []
        spelled = [word for word in spelled if word[1] < word[2] <= LONGEST + 1]
        none = [(0, 0)]
        return [0] + [row + MARKS for row in rows[:LONGEST]] + [1], spelled, none + spans[:LONGEST] + none

    def languages(self, runs):
        costs, steps, before = [0.0, 0.0, START_UNACCENTED], [], None

        def cost_of(rank, language):
            return UNKNOWN if rank is None else math.log(rank + ZIPF[language][0]) + ZIPF[language][1]

        for kind, plain, accented, folded, stripped, _ in runs:
            start = [0, 1, 2]
            if kind != LETTERS:
                before = None
                steps.append(start)
                continue
            following = list(costs)
            for to in range(3):
                for other in range(3):
                    change = CHANGE_ACCENTS if to and other else CHANGE
                    if costs[other] + change < following[to]:
                        following[to], start[to] = costs[other] + change, other
            foreign = stripped or not plain.isascii()
            rank = self.pieces.get(plain)
            following[0] += ACCENTED if foreign else cost_of(None if rank is None else max(0, rank - self.letters), 0)
            following[1] += cost_of(self.words[1].get(accented), 1)
            following[2] += ACCENTED if foreign else cost_of(self.words[2].get(folded), 2)
            if before:
                if start[1] == VIETNAMESE and f"{before[0]} {accented}" in self.words[1]:
                    following[1] -= PAIR
                if start[2] == UNACCENTED and f"{before[1]} {folded}" in self.words[2]:
                    following[2] -= PAIR
            before, costs = (accented, folded), following
            steps.append(start)
        language = min(range(3), key=lambda n: costs[n])
        chosen = []
        for start in reversed(steps):
            chosen.append(language)
            language = start[language]
        return chosen[::-1]


# Passages: see src/index/passage.rs.

WORD = 12
SHORT, USUAL, LONGEST_PASSAGE = 15 * WORD, 40 * WORD, 60 * WORD
FORCED, SENTENCE, BLOCK, HEADING = range(4)
TITLES = set("mr mrs ms mx dr prof st mt sr sra vs cf e.g i.e eg ie z.b bzw approx ca no nr".split())
ENDERS = set("a.m p.m etc jr al inc ltd co usw ave tel vol pp min hr hrs".split())
CLOSERS = "\"')]}*_’”»›」』）】》"


def length_of(text):
    points = run = 0
    for c in text:
        if c.isspace():
            points += run == 0
            run = 0
        else:
            run += 1
            points += WORD if run == 1 else run > WORD
    return points


def sentences(body):
    """[start, end, length, boundary before] of each sentence."""
    units, opened, before = [], None, SENTENCE

    def end(boundary):
        nonlocal opened, before
        if opened:
            units.append(opened)
        opened, before = None, max(before, boundary)

    def add(start, stop):
        nonlocal opened, before
        text = body[start:stop]
        trimmed = text.lstrip()
        if not trimmed:
            return
        start = stop - len(trimmed)
        if opened:
            opened[2] += length_of(trimmed) + max(0, start - opened[1] - 2)
            opened[1] = stop
        else:
            opened = [start, stop, length_of(trimmed), before]
            before = SENTENCE

    start, after_heading = 0, False
    for line in re.findall("[^\n]*\n|[^\n]+", body):
        text = line.strip()
        kind = line_kind(text)
        if kind in ("blank", "item"):
            end(BLOCK)
        elif kind == "heading":
            end(HEADING)
        elif after_heading:
            end(SENTENCE)
        first = start + len(line) - len(line.lstrip())
        origin, at = 0, 0
        while at < len(text):
            found = sentence_end(text, at)
            if not found:
                at += 1
                continue
            at, ends = found
            if ends:
                add(first + origin, first + at)
                end(SENTENCE)
                origin = at
        add(first + origin, first + len(text))
        if not 50 <= min(111, len(text)) <= 110:
            end(SENTENCE)
        after_heading = kind == "heading"
        start += len(line)
    end(BLOCK)
    return units


def line_kind(text):
    if not text:
        return "blank"
    first = text[0]
    marks = len(text) - len(text.lstrip(first))

    def followed(at):
        return len(text) <= at or text[at].isspace()

    if first == "#" and marks <= 6 and followed(marks):
        return "heading"
    if first in "-*+_=" and (marks == len(text) or followed(1)) or first in "•–—・◦" and followed(1) or first in ">|":
        return "item"
    digits = len(text) - len(text.lstrip("0123456789"))
    if 0 < digits <= 3 and text[digits : digits + 1] in (".", ")") and followed(digits + 1):
        return "item"
    name = 0
    while name < len(text) and (text[name].isalnum() or text[name] in "-_"):
        name += 1
    return "item" if name and text[name : name + 2] == "::" else "text"


def sentence_end(text, at):
    if text[at] not in ".!?…":
        return None
    end = at + 1
    while end < len(text) and text[end] in CLOSERS + ".!?…":
        end += 1
    lone = text[at] == "." and end == at + 1
    spaced = end == len(text) or text[end].isspace()
    return end, spaced and not (lone and is_abbreviation(text[:at], text[end:]))


def is_abbreviation(before, after):
    tail = before[-8:]
    word = tail
    for place in range(len(tail) - 1, -1, -1):
        if tail[place].isspace() or tail[place] in "([\"'“‘":
            word = tail[place + 1 :]
            break
    following = next((c for c in after if not c.isspace()), None)
    goes_on = following is not None and (following.islower() or following.isnumeric())
    word = word.lower()
    initial = len(word) == 1 and word.isalpha() and word != "i"
    item = len(word) == len(before) and all(c in "0123456789" for c in word)
    number = word in ("no", "nr") and not (following or "").isnumeric()
    return (
        (word in TITLES and not number)
        or (initial and (following or "").isupper())
        or item
        or (goes_on and word in ENDERS)
    )


def cut_long(body, unit):
    start, stop, length, before = unit
    if length <= LONGEST_PASSAGE:
        return [unit]
    parts = []
    while start < stop:
        text = body[start:stop]
        points = run = 0
        clause = space = None
        last, cut = " ", (len(text), 0)
        for at, c in enumerate(text):
            so_far = points
            if c.isspace():
                points += run == 0
                run = 0
            else:
                run += 1
                points += WORD if run == 1 else run > WORD
            if points > LONGEST_PASSAGE and at > 0:
                cut = clause or space or (at, so_far)
                break
            if c.isspace() and so_far >= LONGEST_PASSAGE // 4:
                space = (at, so_far)
                if last in ",;:–—" and so_far >= LONGEST_PASSAGE // 2:
                    clause = space
            last = c
        else:
            cut = (len(text), points)
        part = text[: cut[0]].rstrip()
        if part:
            parts.append([start, start + len(part), cut[1], before])
            before = FORCED
        rest = text[cut[0] :]
        start += cut[0] + len(rest) - len(rest.lstrip())
    return parts


def passages(body):
    units = [part for unit in sentences(body) for part in cut_long(body, unit)]
    whole = sum(unit[2] for unit in units)
    found = []
    for at, unit in enumerate(units):
        ends_block = at + 1 == len(units) or units[at + 1][3] >= BLOCK
        if found:
            opened = found[-1]
            distance = max(0, unit[0] - opened[1] - 2)
            together = opened[2] + unit[2] + distance
            if unit[3] <= SENTENCE:
                takes = together <= USUAL or opened[2] < SHORT or (ends_block and unit[2] < SHORT)
            elif unit[3] == BLOCK:
                takes = opened[2] < SHORT or (whole <= USUAL and together <= USUAL)
            else:
                takes = whole <= USUAL and together <= USUAL
            if takes and together <= LONGEST_PASSAGE:
                opened[2], opened[1] = together, unit[1]
                continue
        found.append(list(unit))
    return [body[start:stop] for start, stop, *_ in found]
