"""Fine-tunes kioku-reader to read a why question and an entry together. models/adapters/README.md has the commands.

    pip install torch==2.15.0 numpy==2.4.6 safetensors==0.8.0

Extractive question answering (as BERT on SQuAD 2, Devlin et al. 2019): for the first and the last token of the cause and of
the effect a distribution over the tokens of the entry and "nowhere", which is the first token. Each question of
`tests/gate/*/why.jsonl` is read with its own entry, mostly joined with another one that tells a cause, and with one that
the search found for it (the file of `kioku-lab why --candidates`), which has neither. The weights of the encoder stay as they
are; the adapters are rounded to four bits in the forward pass, as they are stored.

The writers of HELD_OUT are left out, for `kioku-lab why --unread` to fit its weights on them; those of `fresh` are never read.
Stopped, it begins anew: an epoch takes six minutes on two cores. The same seed and inputs give the same model on one machine.
"""

import argparse
import json
import random
import time
from collections import defaultdict
from pathlib import Path

import torch
import torch.nn.functional as F

from answer_reader import LONGEST, POINTERS, AnswerReader, Item, batches, gate, span_of
from reader_eval import ROOT
from reader_model import GROUP, Files, gguf, read_gguf

HELD_OUT = ("m2", "t1", "a2", "d2", "h1", "q1", "r1", "kk2", "i2", "p2", "u6", "v5", "v9")
HELD_OUT += ("w6", "w9", "w10", "w11", "w12", "x2", "x6", "x12")
# Of the losses of first and last token of the cause, and of the effect.
WEIGHTS = (1.0, 1.0, 0.5, 0.5)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--reader", default=ROOT / "models/reader", help="the encoder")
    parser.add_argument("--found", required=True, help="what kioku-lab why --candidates wrote")
    parser.add_argument("--out", required=True)
    parser.add_argument("--joined", type=float, default=0.75, help="share of entries that are read with another one")
    parser.add_argument("--older-share", type=float, default=1.0, help="of the questions of diaries and more in an epoch")
    parser.add_argument("--negatives", type=int, default=1, help="found entries that a question is read with; at most 2")
    parser.add_argument("--start", help="changes to start from")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--rate", type=float, default=6e-4)
    parser.add_argument("--rank", type=int, default=32)
    parser.add_argument("--tokens", type=int, default=2400, help="of a batch, with padding")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    assert options.rank % GROUP == 0, f"--rank must be a multiple of {GROUP}, the group of Q4_0"
    return options


class Questions:
    """The questions of `tests/gate` with what the search found for them."""

    def __init__(self, tokenizer, found, options):
        self.tokenizer, self.joined, self.negatives = tokenizer, options.joined, options.negatives
        self.texts, asked = gate(("diaries", "more", "told", "everyday", "stories"))
        self.asked = [question for part in asked.values() for question in part]
        # An entry of these mostly tells one cause.
        self.older, self.share = asked["diaries"] + asked["more"], options.older_share
        self.hits, self.told = {}, defaultdict(list)
        for example in found["examples"]:
            ids = dict.fromkeys(candidate["id"] for candidate in example["candidates"])
            self.hits[example["writer"], example["question"]] = list(ids)
        for question in self.asked:
            if question["answer"]:
                self.told[self.writer(question)].append(question["id"])

    @staticmethod
    def writer(question):
        return question["id"].split("-")[0]

    def items(self, left_out, chance):
        """Each question with its own entry, and with others that tell neither cause nor effect."""
        found, skipped = [], set()
        if not left_out:
            skipped = {id(one) for one in chance.sample(self.older, round((1 - self.share) * len(self.older)))}
        for question in (one for one in self.asked if id(one) not in skipped):
            if (self.writer(question) in HELD_OUT) == left_out:
                found += [self.own(question, chance), *self.others(question, chance)]
        return [item for item in found if item.ids]

    def own(self, question, chance):
        """Most entries are joined with another one that tells a cause: what is asked for has to be told from it."""
        text = self.texts[question["id"]]
        spans = span_of(text, question["answer"]), span_of(text, question["effect"])
        others = [one for one in self.told[self.writer(question)] if one != question["id"]]
        if others and chance.random() < self.joined:
            other = self.texts[chance.choice(others)]
            before = "" if chance.random() < 0.5 else other + "\n"
            joined = before + text if before else text + "\n" + other
            moved = [span and (span[0] + len(before), span[1] + len(before)) for span in spans]
            item = Item(self.tokenizer, question["q"], joined, *moved)
            if item.ids and len(item.ids) < LONGEST:
                return item
        return Item(self.tokenizer, question["q"], text, *spans)

    def others(self, question, chance):
        own, writer = question["id"], self.writer(question)
        found = [one for one in self.hits.get((writer, question["q"]), []) if one != own][:2]
        if not found:
            found = [chance.choice([one for one in self.texts if one.split("-")[0] == writer and one != own])]
        chosen = chance.sample(found, min(len(found), self.negatives))
        return [Item(self.tokenizer, question["q"], self.texts[one]) for one in chosen]


def loss_of(model, batch):
    logits = model(batch)
    places = torch.tensor([item.wanted for item in batch])
    losses = [F.cross_entropy(logits[:, :, n], places[:, n]) for n in range(POINTERS)]
    return sum(weight * loss for weight, loss in zip(WEIGHTS, losses))


@torch.no_grad()
def mean_loss(model, read):
    model.eval()
    parts = [(loss_of(model, [read[n] for n in batch]).item(), len(batch)) for batch in batches(read, 4000)]
    return sum(loss * count for loss, count in parts) / len(read)


def main():
    options = arguments()
    torch.manual_seed(options.seed)
    chance = random.Random(options.seed)
    files = Files(options.reader)
    found = json.loads(Path(options.found).read_text())
    questions = Questions(files.tokenizer, found, options)
    training, left_out = (questions.items(side, chance) for side in (False, True))
    print(f"{len(training)} pairs, {len(left_out)} of writers left out", flush=True)
    model = AnswerReader(read_gguf(files.weights), rank=options.rank)
    if options.start:
        model.take(read_gguf(Path(options.start).read_bytes()))
    groups = [
        {"params": list(model.low.parameters()), "most": options.rate},
        {"params": [model.of_text, model.pointers, model.nowhere], "most": 2 * options.rate},
    ]
    optimiser = torch.optim.AdamW(groups, lr=options.rate, weight_decay=0.01, betas=(0.9, 0.98))
    steps, step, began = options.epochs * len(batches(training, options.tokens)), 0, time.time()
    for epoch in range(options.epochs):
        model.train()
        training = questions.items(False, chance)
        for batch in batches(training, options.tokens, chance):
            rate = min(1.0, (step + 1) / (0.06 * steps)) * max(0.0, 1 - step / steps)
            for group in optimiser.param_groups:
                group["lr"] = group["most"] * rate
            loss = loss_of(model, [training[n] for n in batch])
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            step += 1
        Path(options.out).write_bytes(gguf(model.stored()))
        print(f"epoch {epoch + 1}: {mean_loss(model, left_out):.3f} ({time.time() - began:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
