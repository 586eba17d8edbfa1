"""Figures of a reader on journals with questions, rated pairs and translations, by its vectors alone."""

import gzip
import json
import math
from collections import Counter, defaultdict
from pathlib import Path

import torch

from reader_text import passages

ROOT = Path(__file__).resolve().parents[2]
HELD_OUT = ("n", "o", "p", "b1", "q1", "l1", "s2")
# Of `told`, `everyday` and `stories`.
ALSO_HELD_OUT = ("u6", "v5", "v9", "w9", "w10", "w12", "x2", "x6", "x12")
# Folders of `tests/gate` that the readers of answers and of claims are trained on.
READ_BY_ADAPTERS = ("diaries", "more", "told", "everyday", "stories", "years")
CHOSEN_BY = ("a2", "f2", "i2", "kk2", "r1", "p2", "d2", "h1", "m2", "t1")


def lines(path):
    return [json.loads(line) for line in Path(path).read_text().splitlines() if line.strip()]


def stop_words():
    found = set("s t ll re ve d m don didn doesn isn wasn couldn wouldn hasn hadn haven won aren weren shouldn".split())
    for name in ("stopwords-en", "stopwords-vi", "light-en"):
        for line in (ROOT / f"assets/lexicon/{name}.txt").read_text().splitlines():
            if not line.startswith("#"):
                found.update(line.lower().split())
    return found


STOP = stop_words()


class Journal:
    """Entries as passages, and questions with the entries that answer them."""

    def __init__(self, name, entries, questions, tokenizer):
        """`entries`: (id, text); `questions`: (text, right ids, ids that are no wrong answers)."""
        self.name = name
        self.ids = [name for name, _ in entries]
        places = {name: at for at, name in enumerate(self.ids)}
        self.texts, self.owner = [], []
        for at, (_, text) in enumerate(entries):
            for passage in passages(text):
                self.texts.append(passage)
                self.owner.append(at)
        self.questions = [text for text, *_ in questions]
        self.right = [[places[one] for one in right if one in places] for _, right, _ in questions]
        self.open = [[places[one] for one in also if one in places] for *_, also in questions]
        self.tokenizer = tokenizer
        self.rows, self.words, self.counts = self.read(self.texts)
        self.question_rows, self.question_words, self.spelled = self.read(self.questions)
        frequency = Counter(word for _, word in {(self.owner[n], w) for n, words in enumerate(self.counts) for w in words})
        n = len(self.ids)
        self.idf = {word: math.log(1 + (n - f + 0.5) / (f + 0.5)) for word, f in frequency.items()}
        self.rarest = math.log(1 + (n + 0.5) / 0.5)

    def read(self, texts):
        read = [self.tokenizer.read(text) for text in texts]
        kept = [[word for word in words if word[0] not in STOP] for _, words in read]
        spans = [[(first, end) for _, first, end in words] for words in kept]
        return [row for row, _ in read], spans, [[word for word, *_ in words] for words in kept]

    def weights(self, n):
        """The shares of the words of a question, by rarity."""
        found = [self.idf.get(word, self.rarest) for word in self.spelled[n]]
        return [weight / sum(found) for weight in found]


def best_of(scores, owner, count):
    """Questions x passages -> questions x entries."""
    out = torch.full((scores.shape[0], count), -1.0)
    return out.scatter_reduce(1, torch.tensor(owner)[None].expand(scores.shape[0], -1), scores, "amax")


def word_scores(journal, questions, question_words, passage_words):
    """Late interaction of the words: questions x passages."""
    if not len(question_words) or not len(passage_words):
        return torch.zeros(len(questions), len(journal.rows))
    of = torch.tensor([n for n, row in enumerate(journal.rows) if row for _ in journal.words[n]])
    closest = torch.zeros(len(question_words), len(journal.rows)).scatter_reduce(
        1, of[None].expand(len(question_words), -1), question_words @ passage_words.T, "amax"
    )
    asked, weights = [], []
    for at, n in enumerate(questions):
        if journal.question_rows[n]:
            own = journal.weights(n)
            asked += [at] * len(own)
            weights += own
    scores = torch.zeros(len(questions), len(journal.rows))
    return scores.index_add(0, torch.tensor(asked), closest * torch.tensor(weights)[:, None])


def stretched(scores):
    low, high = scores.min(1, keepdim=True).values, scores.max(1, keepdim=True).values
    return (scores - low) / (high - low).clamp(min=1e-6)


def reciprocal_ranks(journal, scores):
    found = []
    for n, right in enumerate(journal.right):
        if right:
            own = scores[n, right].max()
            others = scores[n].clone()
            others[right + journal.open[n]] = -9
            rank = int((others >= own).sum()) + 1
            found.append((1 / rank if rank <= 10 else 0.0, rank <= 5))
    return found


@torch.no_grad()
def entry_scores(model, journal):
    """Questions x entries: by the vector of a passage, by its words, by both."""
    passage, passage_words = model.vectors(journal.rows, words=journal.words)
    question, question_words = model.vectors(journal.question_rows, words=journal.question_words, fresh=False)
    count = len(journal.ids)
    one = best_of(question @ passage.T, journal.owner, count)
    everything = range(len(journal.questions))
    two = best_of(word_scores(journal, everything, question_words, passage_words), journal.owner, count)
    return one, two, 2 * one + 2.5 * stretched(two)


@torch.no_grad()
def search(model, journals):
    """Mean reciprocal rank at 10 by the vector of a passage, by its words, by both; the share among the first five."""
    totals = defaultdict(list)
    for journal in journals:
        one, two, both = entry_scores(model, journal)
        for name, scores in (("vector", one), ("words", two), ("both", both)):
            found = reciprocal_ranks(journal, scores)
            totals[name].append(sum(r for r, _ in found) / len(found))
            totals[name + "5"].append(sum(f for _, f in found) / len(found))
    return {name: sum(values) / len(values) for name, values in totals.items()}, totals["vector"]


def spearman(a, b):
    from scipy.stats import spearmanr

    return float(spearmanr(a, b).statistic)


@torch.no_grad()
def rated(model, tokenizer, path, step=1):
    pairs = lines(path)[::step]
    one, _ = model.vectors([tokenizer.ids(pair["a"]) for pair in pairs])
    two, _ = model.vectors([tokenizer.ids(pair["b"]) for pair in pairs])
    return spearman((one * two).sum(1).tolist(), [pair["score"] for pair in pairs])


def translations(path):
    with gzip.open(path, "rt") as file:
        return [line.rstrip("\n").split("\t")[:2] for line in file if line.count("\t")]


@torch.no_grad()
def translated(model, tokenizer, path):
    """The share of texts whose translation is the closest: from Vietnamese, from English."""
    pairs = translations(path)
    sides = [[text.lower() for text in side] for side in zip(*pairs)]
    english, _ = model.vectors([tokenizer.ids(one) for one, _ in pairs])
    vietnamese, _ = model.vectors([tokenizer.ids(two) for _, two in pairs])

    def share(queries, targets, texts):
        scores = queries @ targets.T
        own = scores.diagonal()
        closer = scores >= own[:, None]
        for at, text in enumerate(texts):
            same = [other for other in index[text] if other < len(texts)]
            closer[at, same] = False
        return float(((closer.sum(1) == 0) & (queries.norm(dim=1) > 0)).float().mean())

    found = []
    for queries, targets, texts in ((vietnamese, english, sides[0]), (english, vietnamese, sides[1])):
        index = defaultdict(list)
        for at, text in enumerate(texts):
            index[text].append(at)
        found.append(share(queries, targets, texts))
    return found


def own_journals(tokenizer, names=None, folder=None, also=False):
    """The journals of `tests/gate` with the questions in `models/train/questions`; `also`: with those of `told`, `everyday` and
    `stories`, the why questions and the search questions of `told` too."""
    texts, asked = {}, defaultdict(list)
    for part in ("diaries", "more", "told", "everyday", "stories", "fresh") if also else ("diaries", "more", "fresh"):
        texts.update((line["id"], line["text"]) for line in lines(ROOT / f"tests/gate/{part}/texts.jsonl"))
        if also:
            for line in lines(ROOT / f"tests/gate/{part}/why.jsonl"):
                asked[writer_of(line["id"])].append((line["q"], [line["id"]], []))
    for path in sorted(Path(folder or ROOT / "models/train/questions").glob("*.jsonl")):
        for line in lines(path):
            open_ = line.get("also") or [[]] * len(line["q"])
            asked[writer_of(line["id"])] += [(text, [line["id"]], open_[n]) for n, text in enumerate(line["q"])]
    if also:
        for line in lines(ROOT / "tests/gate/told/search.jsonl"):
            if line["answers"]:
                asked[line["writer"]].append((line["q"], line["answers"], []))
    writers = defaultdict(list)
    for name in texts:
        writers[writer_of(name)].append(name)
    return [
        Journal(writer, [(name, texts[name]) for name in ids], asked[writer], tokenizer)
        for writer, ids in writers.items()
        if asked[writer] and (not names or writer in names)
    ]


def writer_of(name):
    return name.split("-")[0]


def life(tokenizer, folder):
    entries = [(line["id"], line["text"]) for line in lines(Path(folder) / "entries.jsonl")]
    asked = json.loads((Path(folder) / "truth.json").read_text())["search"]
    return Journal(Path(folder).name, entries, [(text, ids, []) for text, ids in asked], tokenizer)
