"""Fine-tunes kioku-reader to read claims in one pass over an entry. models/adapters/README.md has the command.

    pip install torch==2.15.0 numpy==2.4.6 safetensors==0.8.0

Four things are learned together, with the adapters of one reader: what the writer feels (`tests/gate/*/feelings.jsonl`, and
GoEmotions with a small weight), the cause of an effect that a why question asks about (`why.jsonl`; none where the entry tells
none), whether a pair of labelled spans is cause and effect, and whether a feeling word is the writer's own (`claims.jsonl` and the
file of `kioku-lab gate --claims`). The weights of the encoder stay as they are; the adapters and projections are rounded to four bits in the
forward pass, as they are stored.

The writers of HELD_OUT and those of `fresh` and `judged` are left out: the numbers of `assets/lexicon/gate-readings.txt` are fitted on them. Of
GoEmotions every fifth comment is left out, as for its test. The same seed and inputs give the same model on one machine.
"""

import argparse
import json
import random
import time
from pathlib import Path

import torch
import torch.nn.functional as F

from answer_reader import LONGEST, AdaptedReader, batches, span_of
from reader_eval import READ_BY_ADAPTERS, ROOT, lines
from reader_model import F16, Q4_0, Files, Rounded, gguf, read_gguf

HELD_OUT = ("u6", "v5", "v9", "t1", "i2", "q1", "d2", "h1", "w10", "w12", "x2", "x6", "x12", "k4", "k21")
FEELINGS = ("joy", "love", "calm", "sadness", "anger", "fear", "shame", "tired", "surprise", "disgust", "none")
# Of the feelings of an entry, strongest first.
SHARES = (0.65, 0.25, 0.1)
GO_EMOTIONS = {
    "joy": "joy amusement approval excitement optimism pride admiration desire", "love": "love caring gratitude",
    "calm": "relief", "sadness": "sadness disappointment grief", "shame": "embarrassment remorse",
    "anger": "anger annoyance disapproval", "disgust": "disgust", "fear": "fear nervousness",
    "surprise": "surprise realization confusion curiosity",
}  # fmt: skip
FAMILY_OF = {label: family for family, labels in GO_EMOTIONS.items() for label in labels.split()}
# Numbers of a projection: of the begin of a cause, and of its end.
WIDTH = 64


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--reader", default=ROOT / "models/reader", help="the encoder")
    parser.add_argument("--claims", required=True, help="what kioku-lab gate --claims wrote")
    parser.add_argument("--comments", required=True, help="goemotions_dev.jsonl")
    parser.add_argument("--start", help="adapters to start from: those of answers.gguf, or of claims.gguf")
    parser.add_argument("--out", required=True)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--comments-share", type=float, default=0.25, help="of the comments, read in an epoch")
    parser.add_argument("--feelings-weight", type=float, default=3.0)
    parser.add_argument("--tokens", type=int, default=12000, help="of a batch, with padding")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


class Text:
    """An entry with everything that is labelled in it, in places of tokens."""

    def __init__(self, tokenizer, text, weight=1.0):
        ids, _, spans = tokenizer.places(text)
        self.text, self.weight = text, weight
        self.ids, self.spans = (ids[:LONGEST], spans[:LONGEST]) if ids else (None, None)
        self.feelings, self.causes, self.claims, self.words = None, [], [], []

    def place(self, span):
        inside = [n for n in range(1, len(self.spans)) if self.spans[n][0] < span[1] and span[0] < self.spans[n][1]]
        return (inside[0], inside[-1]) if inside else None

    def feel(self, own):
        shares = torch.zeros(len(FEELINGS))
        for name, share in zip(own or ["none"], SHARES if own else (1.0,)):
            shares[FEELINGS.index(name)] += share
        self.feelings = shares / shares.sum()


def texts_of(tokenizer, claims, comments):
    """All texts for training, and the comments."""
    found = {}

    def text_of(text):
        return found.setdefault(text, Text(tokenizer, text))

    for part in READ_BY_ADAPTERS:
        folder = ROOT / f"tests/gate/{part}"
        of = {line["id"]: line["text"] for line in lines(folder / "texts.jsonl") if writer_of(line) not in HELD_OUT}
        for line in lines(folder / "feelings.jsonl"):
            if line["id"] in of:
                text_of(of[line["id"]]).feel(line["own"])
        for line in lines(folder / "why.jsonl"):
            if line["id"] in of:
                learn_cause(text_of(of[line["id"]]), line)
        if part in ("everyday", "stories", "years"):
            for line in lines(folder / "claims.jsonl"):
                if line["id"] in of:
                    learn_claim(text_of(of[line["id"]]), labelled(of[line["id"]], line))
    for line in lines(claims):
        if line["writer"] not in HELD_OUT:
            learn_claim(text_of(line["text"]), line)
    others = []
    for _, line in ((n, line) for n, line in enumerate(lines(comments)) if n % 5):
        comment = Text(tokenizer, line["text"], weight=0.4)
        comment.feel(list(dict.fromkeys(FAMILY_OF[label] for label in line["labels"] if label in FAMILY_OF))[:3])
        others.append(comment)
    return [text for text in found.values() if text.ids], [text for text in others if text.ids]


def writer_of(line):
    return line["id"].split("-")[0]


def learn_cause(text, question):
    effect, cause = span_of(text.text, question["effect"]), span_of(text.text, question["answer"])
    if text.ids and effect and (cause or not question["answer"]):
        places = text.place(effect), text.place(cause) if cause else (0, 0)
        if None not in places and places not in text.causes:
            text.causes.append(places)


def labelled(text, line):
    """A line of `claims.jsonl` of a folder as `kioku-lab gate --claims` writes them."""
    task, parts = ("feelings", ("span",)) if "feeling" in line else ("causes", ("cause", "effect"))
    truth = 0.5 if line["true"] == "part" else float(line["true"])
    return {"task": task, "spans": [span_of(text, line[part]) for part in parts], "truth": truth, "weight": 0.5}


def learn_claim(text, claim):
    places = [text.place(span) for span in claim["spans"]] if text.ids else [None]
    if None not in places:
        (text.words if claim["task"] == "feelings" else text.claims).append((places, claim["truth"], claim["weight"]))


class ClaimReader(AdaptedReader):
    def __init__(self, tensors, rank):
        super().__init__(tensors, rank=rank)

        def random_rows(rows, scale):
            return torch.nn.Parameter(torch.randn(rows, self.size) * scale)

        self.look, self.say = random_rows(len(FEELINGS), 0.02), random_rows(len(FEELINGS), 0.02)
        self.bias = torch.nn.Parameter(torch.zeros(len(FEELINGS)))
        self.ask, self.key = random_rows(2 * WIDTH, self.size**-0.5), random_rows(2 * WIDTH, 0.3 * self.size**-0.5)
        self.untold = torch.nn.Parameter(torch.zeros(2))
        self.own, self.own_bias = random_rows(2, 0.02), torch.nn.Parameter(torch.zeros(1))

    def read(self, batch):
        """Vectors of the tokens; of [SEP] and padding zeros."""
        x, real = self.hidden([text.ids for text in batch])
        ends = torch.tensor([len(text.ids) - 1 for text in batch])
        told = real & (torch.arange(x.shape[1])[None] != ends[:, None])
        return F.dropout(x * told[..., None], self.drop, self.training), real

    def feelings(self, x, real):
        share = (x @ self.look.T).masked_fill(~real[..., None], -1e4).softmax(1)
        return (share * (x @ self.say.T)).sum(1) + self.bias

    def point(self, x, real, where, effects):
        """Logits that the cause of an effect begins and ends at each token; [CLS] is for none."""
        effect = torch.stack([x[n, first : last + 1].mean(0) for n, (first, last) in zip(where, effects)])
        asked = (effect @ Rounded.apply(self.ask).T).unflatten(1, (2, -1))
        keys = (x @ Rounded.apply(self.key).T).unflatten(2, (2, -1))[where]
        logits = torch.einsum("esw,etsw->est", asked, keys)
        logits[:, :, 0] = logits[:, :, 0] + self.untold
        return logits.masked_fill(~real[where][:, None], -1e4)

    def owned(self, x, where, words):
        word = torch.stack([x[n, first : last + 1].mean(0) for n, (first, last) in zip(where, words)])
        return word @ self.own[0] + x[where, 0] @ self.own[1] + self.own_bias

    def stored(self):
        """Tensors and kinds by name, as `src/embed/claim_reader.rs` reads them."""
        kinds = {"look": F16, "say": F16, "ask": Q4_0, "key": Q4_0, "own": F16}
        found = {name: (getattr(self, name).detach(), kind) for name, kind in kinds.items()}
        rows = {name: (getattr(self, name).detach()[None], F16) for name in ("bias", "untold", "own_bias")}
        return {**super().stored(), **found, **rows}

    def take(self, stored):
        """Goes on from adapters of answers, or from those of claims with what reads from them."""
        super().take(stored)
        if "look" in stored:
            for name in ("look", "say", "ask", "key", "own", "bias", "untold", "own_bias"):
                getattr(self, name).data = stored[name].reshape(getattr(self, name).shape)


def listed(batch, of):
    """The rows of a batch that have such labels, and the labels."""
    pairs = [(n, label) for n, text in enumerate(batch) for label in of(text)]
    return [n for n, _ in pairs], [label for _, label in pairs]


def part_of(effect, chance):
    """Three times in ten a piece of the effect: a claim names a word of it."""
    first, last = effect
    if last == first or chance.random() >= 0.3:
        return effect
    first = chance.randint(first, last)
    return first, min(last, first + chance.randint(0, 2))


def loss_of(model, batch, options, chance):
    x, real = model.read(batch)
    loss = x.new_zeros(())
    where, wanted = listed(batch, lambda text: [] if text.feelings is None else [text.feelings])
    if where:
        logits = model.feelings(x[where], real[where]).log_softmax(-1)
        weights = torch.tensor([batch[n].weight for n in where])
        loss = loss - options.feelings_weight * ((torch.stack(wanted) * logits).sum(-1) * weights).sum()
    where, pairs = listed(batch, lambda text: text.causes)
    if where:
        logits = model.point(x, real, torch.tensor(where), [part_of(effect, chance) for effect, _ in pairs])
        places = torch.tensor([cause for _, cause in pairs])
        loss = loss + sum(F.cross_entropy(logits[:, n], places[:, n], reduction="sum") for n in (0, 1)) / 2
    for weight, logits_of, of in ((0.5, margins, "claims"), (0.5, owned, "words")):
        where, claims = listed(batch, lambda text, of=of: getattr(text, of))
        if where:
            truth, weights = (torch.tensor([claim[n] for claim in claims]).float() for n in (1, 2))
            logits = logits_of(model, x, real, where, [places for places, _, _ in claims])
            losses = F.binary_cross_entropy_with_logits(logits, truth, reduction="none")
            loss = loss + weight * (losses * weights).sum()
    return loss / len(batch)


def margins(model, x, real, where, places):
    logits = model.point(x, real, torch.tensor(where), [effect for _, effect in places])
    at = torch.tensor([cause for cause, _ in places])
    told = logits.gather(2, at[:, :, None])[..., 0]
    return (told - logits[:, :, 0]).sum(1)


def owned(model, x, _, where, places):
    return model.owned(x, where, [word for (word,) in places])


def main():
    options = arguments()
    torch.manual_seed(options.seed)
    chance = random.Random(options.seed)
    files = Files(options.reader)
    texts, comments = texts_of(files.tokenizer, options.claims, options.comments)
    print(f"{len(texts)} texts, {len(comments)} comments", flush=True)
    model = ClaimReader(read_gguf(files.weights), options.rank)
    if options.start:
        model.take(read_gguf(Path(options.start).read_bytes()))
    adapters = list(model.low.parameters())
    heads = [one for name, one in model.named_parameters() if not name.startswith("low.")]
    groups = [{"params": adapters, "most": options.rate}, {"params": heads, "most": 2 * options.rate}]
    optimiser = torch.optim.AdamW(groups, lr=options.rate, weight_decay=0.01, betas=(0.9, 0.98))
    count = int(len(comments) * options.comments_share)
    steps, step, began = options.epochs * len(batches(texts + comments[:count], options.tokens)), 0, time.time()
    for epoch in range(options.epochs):
        model.train()
        read, total = texts + chance.sample(comments, count), 0.0
        for batch in batches(read, options.tokens, chance):
            rate = min(1.0, (step + 1) / (0.06 * steps)) * max(0.0, 1 - step / (steps + 1))
            for group in optimiser.param_groups:
                group["lr"] = group["most"] * rate
            loss = loss_of(model, [read[n] for n in batch], options, chance)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            step, total = step + 1, total + loss.item()
        Path(options.out).write_bytes(gguf(model.stored()))
        print(f"epoch {epoch + 1}: {total / step * (epoch + 1):.3f} ({time.time() - began:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
