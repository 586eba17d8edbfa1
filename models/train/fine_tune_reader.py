"""Fine-tunes kioku-reader on questions about diary entries, and writes its three files.

    pip install torch==2.15.0 numpy==2.4.6 scipy==1.17.1 safetensors==0.8.0 tokenizers==0.23.3
    python3 models/train/fine_tune_reader.py --teacher all-MiniLM-L6-v2 --corpus corpus --out OUT

Starts from the teacher's weights, cut to the vocabulary of models/reader, and the Vietnamese rows of the model there; without
--teacher from that model alone, which is then its own teacher. The loss is the sum of

- InfoNCE in both directions between the questions and the entries of one writer, by the best passage of an entry: once
  with the vector of the passage, once with the vectors of its words (late interaction, words weighed by rarity);
- distillation: the vectors of English texts, and their cosines with each other, stay those of the teacher;
- InfoNCE in both directions between Vietnamese sentences and their translations, whose vectors also stay close to those
  of the model before.

All matrices are rounded to four bits in the forward pass, as they are stored (straight-through gradients). The result is
the mean of the trained weights and those at the start, by --share. Stopped, it goes on from its last epoch. The same seed
and inputs give the same model on one machine.
"""

import argparse
import gzip
import json
import random
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer as FileTokenizer

import reader_eval as measure
from reader_model import EMBEDDINGS, Files, Reader, start, teacher_tensors
from reader_text import unaccented

PAIRS = ("alt", "massive", "tatoeba", "osm_id_tagging", "concepticon_panlex", "tico19_terms", "cldr")
# Sources of the corpus, less the books of 1845-1928 ("se"), of which one line in ten is kept.
BOOKS, BOOKS_KEPT = "se", 10


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--reader", default=measure.ROOT / "models/reader", help="the model to start from")
    parser.add_argument("--teacher", help="folder of all-MiniLM-L6-v2; without it the model itself is start and teacher")
    parser.add_argument("--corpus", required=True, help="folder with prose-en.txt.gz, prose-en.src.gz, en-vi/")
    parser.add_argument("--questions", help="folder of the questions; models/train/questions without this")
    parser.add_argument("--also", action="store_true", help="read the why questions and the search questions of tests/gate too")
    parser.add_argument("--out", required=True)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--rate", type=float, default=3e-5)
    parser.add_argument("--row-rate", type=float, default=1e-4, help="the rate of the rows of words")
    parser.add_argument("--temperature", type=float, default=0.05)
    parser.add_argument("--words", type=float, default=1.0, help="weight of the loss by words")
    parser.add_argument("--distil", type=float, default=1.0)
    parser.add_argument("--pairs", type=float, default=0.5)
    parser.add_argument("--texts", type=int, default=64, help="texts of the corpus for each writer")
    parser.add_argument("--translations", type=int, help="pairs for each writer; as many as texts without this")
    parser.add_argument("--unaccented", type=float, default=0.1, help="share of Vietnamese texts without accents")
    parser.add_argument("--share", type=float, nargs="+", default=[1.0], help="shares of the trained weights to measure")
    parser.add_argument("--write", type=float, help="write the model with this share")
    parser.add_argument("--choose", action="store_true", help="hold further writers out, and measure on them")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def corpus_texts(folder, count, random):
    texts = []
    with gzip.open(folder / "prose-en.txt.gz", "rt") as text, gzip.open(folder / "prose-en.src.gz", "rt") as source:
        for at, (line, name) in enumerate(zip(text, source)):
            if name.strip() != BOOKS or at % BOOKS_KEPT == 0:
                texts.append(line.strip()[:600])
    return random.sample(texts, count)


def whole_teacher(folder):
    """The teacher with its whole vocabulary, and what turns a text into its ids."""
    by_file = FileTokenizer.from_file(str(Path(folder) / "tokenizer.json"))
    by_file.no_padding()
    by_file.enable_truncation(256)
    teacher = Reader(teacher_tensors(folder), rounds=False)
    teacher.bf16 = True
    return teacher, lambda text: by_file.encode(text).ids


def both_ways(scores, right, masked, temperature):
    """InfoNCE of questions (rows) and entries (columns); `masked` pairs are no negatives."""
    scores = scores / temperature
    entries = F.cross_entropy(scores.masked_fill(masked, -1e4), right)
    own = right[:, None] == right[None]
    own.fill_diagonal_(False)
    columns = scores[:, right].T.masked_fill(own | masked[:, right].T, -1e4)
    return entries + F.cross_entropy(columns, torch.arange(len(right)))


class Step:
    """A journal with the questions of one step."""

    def __init__(self, journal, chance, share):
        self.journal = journal
        if chance.random() < share:
            journal = measure.Journal.__new__(measure.Journal)
            journal.__dict__.update(self.journal.__dict__)
            journal.rows, journal.words, journal.counts = journal.read([unaccented(t) for t in journal.texts])
            self.journal = journal
        read = [n for n, row in enumerate(journal.question_rows) if row and journal.right[n]]
        self.asked = chance.sample(read, min(len(read), 220))
        if chance.random() < share:
            journal = measure.Journal.__new__(measure.Journal)
            journal.__dict__.update(self.journal.__dict__)
            questions = journal.read([unaccented(t) for t in journal.questions])
            journal.question_rows, journal.question_words, journal.spelled = questions
            self.asked = [n for n in self.asked if journal.question_rows[n]]
            self.journal = journal

    def loss(self, model, options):
        journal, count = self.journal, len(self.journal.ids)
        passage, passage_words = model.vectors(journal.rows, words=journal.words)
        rows = [journal.question_rows[n] for n in self.asked]
        words = [journal.question_words[n] for n in self.asked]
        question, question_words = model.vectors(rows, words=words, fresh=False)
        right = torch.tensor([journal.right[n][0] for n in self.asked])
        masked = torch.zeros(len(self.asked), count, dtype=torch.bool)
        for at, n in enumerate(self.asked):
            masked[at, journal.open[n] + journal.right[n][1:]] = True
        scores = measure.best_of(question @ passage.T, journal.owner, count)
        loss = both_ways(scores, right, masked, options.temperature)
        scores = measure.word_scores(journal, self.asked, question_words, passage_words)
        scores = measure.best_of(scores, journal.owner, count)
        return loss, both_ways(scores, right, masked, options.temperature)


def main():
    options = arguments()
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    chance = random.Random(options.seed)
    out, corpus = Path(options.out), Path(options.corpus)
    out.mkdir(parents=True, exist_ok=True)
    files = Files(options.reader)
    tokenizer = files.tokenizer
    journals = measure.own_journals(tokenizer, folder=options.questions, also=options.also)
    left_out = measure.HELD_OUT + measure.ALSO_HELD_OUT + (measure.CHOSEN_BY if options.choose else ())
    training = [journal for journal in journals if journal.name not in left_out]
    print(f"{len(training)} writers, {sum(len(j.questions) for j in training)} questions", flush=True)
    steps = options.epochs * len(training)

    origin = start(files, options.teacher)
    model = Reader(origin)
    model.bf16 = True
    groups = [
        {"params": [model.get(EMBEDDINGS)], "lr": options.row_rate, "most": options.row_rate},
        {"params": [model.get(n) for n in origin if n != EMBEDDINGS], "lr": options.rate, "most": options.rate},
    ]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.0, betas=(0.9, 0.98))

    texts = corpus_texts(corpus, steps * options.texts, chance)
    before = Reader(origin, rounds=False)
    before.bf16 = True
    with torch.no_grad():
        if options.teacher:
            teacher, ids = whole_teacher(options.teacher)
            wanted, _ = teacher.vectors([ids(text) for text in texts])
            del teacher
        else:
            wanted, _ = before.vectors([tokenizer.ids(text) for text in texts])
    pairs = [pair for name in PAIRS for pair in measure.translations(corpus / f"en-vi/{name}.tsv.gz")]
    pairs = [pair for pair in pairs if 2 <= len(pair[0].split()) <= 30]
    each = options.translations or options.texts
    pairs = chance.sample(pairs, min(len(pairs), steps * each))
    with torch.no_grad():
        as_before, _ = before.vectors([tokenizer.ids(two) for _, two in pairs])
    del before

    step, epoch = 0, 0
    saved = out / "checkpoint.pt"
    if saved.exists():
        state = torch.load(saved, weights_only=False)
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        step, epoch = state["step"], state["epoch"]
        chance.setstate(state["chance"])
    began = time.time()
    while epoch < options.epochs:
        order = list(training)
        chance.shuffle(order)
        sums = torch.zeros(4)
        for journal in order:
            rate = min(1.0, (step + 1) / (0.1 * steps)) * (1 - step / steps)
            for group in optimiser.param_groups:
                group["lr"] = group["most"] * rate
            whole, words = Step(journal, chance, options.unaccented).loss(model, options)
            mine = range(step * options.texts, (step + 1) * options.texts)
            target = wanted[mine.start : mine.stop]
            own, _ = model.vectors([tokenizer.ids(texts[n]) for n in mine], fresh=False)
            read = own.norm(dim=1) > 0
            own, target = own[read], target[read]
            distilled = (1 - (own * target).sum(1)).mean() + 10 * (own @ own.T - target @ target.T).square().mean()
            mine = [n % len(pairs) for n in range(step * each, (step + 1) * each)]
            plain = [chance.random() < options.unaccented for _ in mine]
            vietnamese = [unaccented(pairs[n][1]) if p else pairs[n][1] for n, p in zip(mine, plain)]
            rows = [(tokenizer.ids(pairs[n][0]), tokenizer.ids(text)) for n, text in zip(mine, vietnamese)]
            kept = [at for at, row in enumerate(rows) if row[0] and row[1]]
            english, _ = model.vectors([rows[at][0] for at in kept], fresh=False)
            others, _ = model.vectors([rows[at][1] for at in kept], fresh=False)
            scores = english @ others.T / 0.05
            same = torch.arange(len(kept))
            translated = (F.cross_entropy(scores, same) + F.cross_entropy(scores.T, same)) / 2
            translated = translated + (1 - (others * as_before[[mine[at] for at in kept]]).sum(1)).mean()
            loss = whole + options.words * words + options.distil * 5 * distilled + options.pairs * translated
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimiser.step()
            sums += torch.tensor([whole.item(), words.item(), distilled.item(), translated.item()])
            step += 1
        epoch += 1
        losses = " ".join(f"{x:.3f}" for x in sums / len(order))
        print(f"epoch {epoch}: {losses} ({time.time() - began:.0f} s)", flush=True)
        state = {"model": model.state_dict(), "optimiser": optimiser.state_dict(), "step": step, "epoch": epoch}
        torch.save(dict(state, chance=chance.getstate()), saved)

    trained = model.tensors()
    if options.write is not None:
        files.write({n: options.write * trained[n] + (1 - options.write) * origin[n] for n in origin}, out)
        print(out, flush=True)
    names = measure.CHOSEN_BY if options.choose else measure.HELD_OUT + measure.ALSO_HELD_OUT
    tested = [journal for journal in journals if journal.name in names]
    for share in options.share:
        mixed = Reader({n: share * trained[n] + (1 - share) * origin[n] for n in origin})
        mixed.bf16 = True
        found, by_writer = measure.search(mixed, tested)
        found = {name: round(value, 3) for name, value in found.items()}
        sick = measure.rated(mixed, tokenizer, corpus.parent / "eval/dev/sts/sick_train.jsonl", 3)
        xcopa = measure.translated(mixed, tokenizer, corpus / "en-vi/xcopa.tsv.gz")
        print(json.dumps({"share": share, **found, "sick": round(sick, 3), "xcopa": [round(x, 3) for x in xcopa]}), flush=True)
        print("  " + " ".join(f"{j.name} {x:.3f}" for j, x in zip(tested, by_writer)), flush=True)


if __name__ == "__main__":
    main()
