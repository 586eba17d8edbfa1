"""Fine-tunes kioku-reader to read a why question and an entry together. models/adapters/README.md has the commands.

    pip install torch==2.15.0 numpy==2.4.6 safetensors==0.8.0

Extractive question answering (as BERT on SQuAD 2, Devlin et al. 2019): for the first and the last token of the cause and of
the effect a distribution over the tokens of the entry and "nowhere", which is the first token. Each question of
`tests/gate/*/why.jsonl` is read with its own entry, mostly joined with another one that tells a cause, and with some of
those that the encoder finds for it, which have neither. With `--shared` also one distribution over the tokens of all these
entries ("shared normalization", Clark and Gardner 2018): the entries compete. Some texts and questions are read without
accents or marks. The weights of the encoder stay as they are; the adapters are rounded to four bits in the forward pass, as
they are stored.

The writers of HELD_OUT are left out, for `kioku-lab why --unread` to fit its weights on them; those of `fresh` and `judged`
are never read. Stopped, it begins anew. The same seed and inputs give the same model on one machine.
"""

import argparse
import random
import re
import time
from collections import defaultdict
from pathlib import Path

import torch
import torch.nn.functional as F

from answer_reader import LONGEST, POINTERS, AnswerReader, Item, Tokens, batches, gate, span_of
from reader_eval import READ_BY_ADAPTERS, ROOT, Journal, entry_scores, writer_of
from reader_model import GROUP, Files, Reader, gguf, read_gguf
from reader_text import unaccented

HELD_OUT = ("m2", "t1", "a2", "d2", "h1", "q1", "r1", "kk2", "i2", "p2", "u6", "v5", "v9")
HELD_OUT += ("w6", "w9", "w10", "w11", "w12", "x2", "x6", "x12", "k4", "k21")
# Of the losses of first and last token of the cause, and of the effect.
WEIGHTS = (1.0, 1.0, 0.5, 0.5)
# Entries that are found for a question.
FOUND = 8
VIETNAMESE = re.compile(f"[đ{''.join(map(chr, range(0x1EA0, 0x1EFA)))}ăâêôơưàảãáạèéẻẽẹìíỉĩịòóỏõọùúủũụỳý]", re.IGNORECASE)
MARKS = str.maketrans(dict.fromkeys('.,;:!?-—"', " "))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--reader", default=ROOT / "models/reader", help="the encoder")
    parser.add_argument("--out", required=True)
    parser.add_argument("--joined", type=float, default=0.6, help="share of entries that are read with another one")
    parser.add_argument("--plain", type=float, default=0.12, help="share of texts and questions without accents or marks")
    parser.add_argument("--negatives", type=int, default=3, help="found entries that a question is read with")
    parser.add_argument("--shared", type=float, default=0.5, help="weight of the loss over all entries of a question")
    parser.add_argument("--start", help="changes to start from")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--rate", type=float, default=8e-4)
    parser.add_argument("--rank", type=int, default=32)
    parser.add_argument("--tokens", type=int, default=24000, help="of a batch, with padding")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    assert options.rank % GROUP == 0, f"--rank must be a multiple of {GROUP}, the group of Q4_0"
    return options


def plain(text):
    """The text without accents, or in English without marks; of the same length, so that spans stay as they are."""
    if not VIETNAMESE.search(text):
        return text.translate(MARKS)
    return "".join(unaccented(one) if len(unaccented(one)) == 1 else one for one in text)


@torch.no_grad()
def found_entries(reader, tokenizer, texts, asked):
    """For the writer and the words of each question the ids of the entries that are closest by vectors and words."""
    entries, questions, found = defaultdict(list), defaultdict(list), {}
    for name in texts:
        entries[writer_of(name)].append(name)
    for question in asked:
        questions[writer_of(question["id"])].append((question["q"], [], []))
    for writer, ids in entries.items():
        journal = Journal(writer, [(name, texts[name]) for name in ids], questions[writer], tokenizer)
        _, _, scores = entry_scores(reader, journal)
        closest = scores.topk(min(FOUND + 1, len(ids)), dim=1).indices.tolist()
        found.update(((writer, text), [ids[at] for at in row]) for text, row in zip(journal.questions, closest))
    return found


class Questions:
    """The questions of `tests/gate` with what the encoder finds for them."""

    def __init__(self, reader, tokenizer, options):
        self.options = options
        texts, asked = gate(READ_BY_ADAPTERS)
        self.asked = [question for part in asked.values() for question in part]
        self.found = found_entries(reader, tokenizer, texts, self.asked)
        self.texts, self.plain = (self.read(tokenizer, texts, change) for change in (str, plain))
        words = {question["q"]: question["q"] for question in self.asked}
        self.words, self.plain_words = (self.read(tokenizer, words, change) for change in (str, plain))
        self.told = defaultdict(list)
        for question in self.asked:
            if question["answer"]:
                self.told[writer_of(question["id"])].append(question["id"])

    @staticmethod
    def read(tokenizer, texts, change):
        tokens = {name: Tokens.of(tokenizer, change(text)) for name, text in texts.items()}
        return {name: one for name, one in tokens.items() if one}

    def groups(self, left_out, chance):
        """Each question with its own entry first, then with others that tell neither cause nor effect."""
        found = []
        for question in self.asked:
            writer, own = writer_of(question["id"]), question["id"]
            words = self.either(self.words, self.plain_words, question["q"], chance)
            if (writer in HELD_OUT) != left_out or not words or own not in self.texts:
                continue
            item = self.own(question, words, chance)
            if question["answer"] and item.wanted[0] == 0:
                continue
            others = [one for one in self.found[writer, question["q"]] if one != own and one in self.texts]
            chosen = chance.sample(others, min(len(others), self.options.negatives))
            found.append([item, *(Item(words, self.texts[one]) for one in chosen)])
        return found

    def either(self, texts, plain_texts, name, chance):
        chosen = plain_texts if chance.random() < self.options.plain and name in plain_texts else texts
        return chosen.get(name)

    def own(self, question, words, chance):
        """Most entries are joined with another one that tells a cause: what is asked for has to be told from it."""
        text = self.either(self.texts, self.plain, question["id"], chance)
        written = self.texts[question["id"]].text
        spans = span_of(written, question["answer"]), span_of(written, question["effect"])
        others = [one for one in self.told[writer_of(question["id"])] if one != question["id"]]
        other = self.texts.get(chance.choice(others)) if others and chance.random() < self.options.joined else None
        if other and len(words.ids) + len(text.ids) + len(other.ids) < LONGEST:
            if chance.random() < 0.5:
                return Item(words, text.above(other)[0], *spans)
            text, move = other.above(text)
            spans = [span and (span[0] + move, span[1] + move) for span in spans]
        return Item(words, text, *spans)


def loss_of(model, groups, shared):
    """The mean over the questions: of the own entry and of the others together, and of all in one distribution."""
    items = [item for group in groups for item in group]
    logits = model(items)
    places = torch.tensor([item.wanted for item in items])
    owner = torch.tensor([n for n, group in enumerate(groups) for _ in group])
    first = torch.tensor([at == 0 for group in groups for at in range(len(group))])
    losses = torch.stack([F.cross_entropy(logits[:, :, n], places[:, n], reduction="none") for n in range(POINTERS)], 1)
    others = torch.tensor([max(1, len(group) - 1) for group in groups])[owner]
    loss = ((losses * torch.tensor(WEIGHTS)).sum(1) * torch.where(first, 1.0, 1 / others)).sum()
    if shared:
        # Logits of the cause against those of nowhere, whose own is 0 and counts once.
        against = logits[:, :, :2] - logits[:, :1, :2]
        told = against[:, 1:].logsumexp(1)
        most = told.max().detach().clamp(min=0)
        sums = torch.zeros(len(groups), 2).index_add(0, owner, (told - most).exp()) + (-most).exp()
        own = against[first].gather(1, places[first][:, None, :2])[:, 0]
        loss = loss + shared * (sums.log() + most - own).sum()
    return loss / len(groups)


@torch.no_grad()
def mean_loss(model, read):
    model.eval()
    parts = [(loss_of(model, [read[n] for n in batch], 0.0).item(), len(batch)) for batch in batches(read, 4000)]
    return sum(loss * count for loss, count in parts) / len(read)


def main():
    options = arguments()
    torch.manual_seed(options.seed)
    chance = random.Random(options.seed)
    files = Files(options.reader)
    weights = read_gguf(files.weights)
    reader = Reader(weights, rounds=False)
    questions = Questions(reader, files.tokenizer, options)
    training, left_out = (questions.groups(side, chance) for side in (False, True))
    print(f"{len(training)} questions, {len(left_out)} of writers left out", flush=True)
    model = AnswerReader(weights, rank=options.rank)
    if options.start:
        model.take(read_gguf(Path(options.start).read_bytes()))
    parameters = [
        {"params": list(model.low.parameters()), "most": options.rate},
        {"params": [model.of_text, model.pointers, model.nowhere], "most": 2 * options.rate},
    ]
    optimiser = torch.optim.AdamW(parameters, lr=options.rate, weight_decay=0.01, betas=(0.9, 0.98))
    steps, step, began = options.epochs * len(batches(training, options.tokens)), 0, time.time()
    for epoch in range(options.epochs):
        model.train()
        training = questions.groups(False, chance)
        for batch in batches(training, options.tokens, chance):
            rate = min(1.0, (step + 1) / (0.06 * steps)) * max(0.0, 1 - step / steps)
            for group in optimiser.param_groups:
                group["lr"] = group["most"] * rate
            loss = loss_of(model, [training[n] for n in batch], options.shared)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            step += 1
        Path(options.out).write_bytes(gguf(model.stored()))
        print(f"epoch {epoch + 1}: {mean_loss(model, left_out):.3f} ({time.time() - began:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
