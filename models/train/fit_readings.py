"""Fits how the verdicts of cues and of the reader of claims weigh together: assets/lexicon/gate-readings.txt.

    pip install torch==2.15.0 numpy==2.4.6 safetensors==0.8.0
    python3 models/train/fit_readings.py --claims claims.jsonl --adapters models/adapters/claims.gguf --out assets/lexicon/gate-readings.txt

Everything is fitted on the writers that the reader was not trained on (HELD_OUT of `fine_tune_claims.py`): a logistic
model of the two logits, for a feeling also of the log odds that the entry feels so (its family and those alike), and the least
probability at which the share of true claims is --precision, by models that were fitted without the writer of a claim (a
cause that is cut short counts as true; only causes with a connective count for the line); for the cause of an effect the
least probability of the likeliest span (at most 40 tokens), which is right where half of the words are those of the
labelled cause (F1). `fresh` is only measured.
"""

import argparse
import re
from collections import Counter, defaultdict
from pathlib import Path

import torch
import torch.nn.functional as F

from answer_reader import batches
from fine_tune_claims import FEELINGS, HELD_OUT, ClaimReader, Text, learn_cause, margins, owned, writer_of
from reader_eval import READ_BY_ADAPTERS, ROOT, lines
from reader_model import Files, read_gguf

LONGEST_CAUSE = 40
MOST = 8.0
PARTS = (*READ_BY_ADAPTERS, "fresh")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--reader", default=ROOT / "models/reader", help="the encoder")
    parser.add_argument("--claims", required=True, help="what kioku-lab gate --claims wrote")
    parser.add_argument("--adapters", required=True, help="claims.gguf")
    parser.add_argument("--out", help="the file to write")
    parser.add_argument("--precision", type=float, nargs=3, default=[0.9, 0.9, 0.9], metavar=("FEELINGS", "CAUSES", "POINTED"))
    return parser.parse_args()


ALIKE = {"joy": ("joy", "love", "calm"), "sadness": ("sadness", "shame"), "anger": ("anger", "disgust"), "disgust": ("anger", "disgust")}


def family_logit(model, x, real, family):
    """The log odds of a family and those alike; 0 for a feeling without one."""
    if family in (None, "none"):
        return 0.0
    shares = model.feelings(x, real)[0].softmax(-1)
    share = sum(float(shares[FEELINGS.index(name)]) for name in ALIKE.get(family, (family,)))
    return float(torch.logit(torch.tensor(min(max(share, 0.01), 0.99))))


@torch.no_grad()
def claim_logits(model, tokenizer, path):
    """By task: (writer, logits of cues, reading and family, truth, weight, whether it counts for the line)."""
    found = defaultdict(list)
    for line in lines(path):
        if line["writer"] not in HELD_OUT:
            continue
        text = Text(tokenizer, line["text"])
        places = [text.place(span) for span in line["spans"]] if text.ids else [None]
        if None in places:
            continue
        x, real = model.read([text])
        logits_of = owned if line["task"] == "feelings" else margins
        read = logits_of(model, x, real, [0], [places]).item()
        is_feeling = line["task"] == "feelings"
        logits = (line["logit"], read, family_logit(model, x, real, line["family"]) if is_feeling else 0.0)
        found[line["task"]].append((line["writer"], logits, line["truth"], line["weight"], is_feeling or line["linked"]))
    return found


@torch.no_grad()
def pointed(model, tokenizer):
    """By group: (log probability of the likeliest cause, whether it is the labelled one), for all effects."""
    found = defaultdict(list)
    for part in PARTS:
        folder = ROOT / f"tests/gate/{part}"
        texts = {line["id"]: Text(tokenizer, line["text"]) for line in lines(folder / "texts.jsonl")
                 if part == "fresh" or writer_of(line) in HELD_OUT}  # fmt: skip
        for line in lines(folder / "why.jsonl"):
            if line["id"] in texts:
                learn_cause(texts[line["id"]], line)
        read = [text for text in texts.values() if text.ids and text.causes]
        for batch in batches(read, 4000):
            batch = [read[n] for n in batch]
            x, real = model.read(batch)
            for n, text in enumerate(batch):
                logits = model.point(x, real, torch.tensor([n] * len(text.causes)), [effect for effect, _ in text.causes])
                for (begin, end), (_, cause) in zip(logits.log_softmax(-1), text.causes):
                    found["fresh" if part == "fresh" else "held out"].append(likeliest(text, begin, end, cause))
    return found


def likeliest(text, begin, end, cause):
    count = len(text.ids)
    scores = begin[:count, None] + end[None, :count]
    near = torch.ones_like(scores, dtype=torch.bool)
    scores = scores.masked_fill(~(near.triu() & near.tril(LONGEST_CAUSE - 1)), -1e9)
    scores[0] = -1e9
    first, last = divmod(int(scores.argmax()), count)
    right = cause != (0, 0) and f1(text.text[text.spans[first][0] : text.spans[last][1]],
                                   text.text[text.spans[cause[0]][0] : text.spans[cause[1]][1]]) >= 0.5  # fmt: skip
    return float(scores.max()), right


def f1(one, other):
    one, other = (Counter(re.findall(r"\w+", text.lower())) for text in (one, other))
    return 2 * sum((one & other).values()) / max(1, sum(one.values()) + sum(other.values()))


def figures(claims):
    x = torch.tensor([[*logits, 0] for _, logits, *_ in claims]).clamp(-MOST, MOST)
    x[:, 3] = 1
    return x


def mix(claims):
    """Weights of cues, reading and family, and a bias: logistic regression."""
    x = figures(claims)
    truth, weight = (torch.tensor([claim[n] for claim in claims]) for n in (2, 3))
    weights = torch.zeros(4, requires_grad=True)
    optimiser = torch.optim.LBFGS([weights], max_iter=200)

    def step():
        optimiser.zero_grad()
        losses = F.binary_cross_entropy_with_logits(x @ weights, truth, reduction="none")
        loss = (losses * weight).sum() / weight.sum() + 1e-3 * weights[:3].square().sum()
        loss.backward()
        return loss

    optimiser.step(step)
    return weights.detach()


def line_of(ranked, precision):
    """The least score at which the share of right ones above is `precision`; how many are above, and how many of them right."""
    ranked, right, best = sorted(ranked, reverse=True), 0, (1.0, 0, 0)
    for count, (score, is_right) in enumerate(ranked, 1):
        right += is_right
        if right / count >= precision:
            best = score, count, right
    return best


def main():
    options = arguments()
    files = Files(options.reader)
    stored = read_gguf(Path(options.adapters).read_bytes())
    model = ClaimReader(read_gguf(files.weights), stored["encoder.layer.0.output.dense.down"].shape[0])
    model.take(stored)
    model.eval()
    found = ["# How the verdicts of cues and of a reading weigh together: a name, a tab, its number. Fitted, not written by hand."]
    logits = claim_logits(model, files.tokenizer, options.claims)
    for task, name, precision in (("feelings", "feeling", options.precision[0]), ("causes", "cause", options.precision[1])):
        claims, ranked = logits[task], []
        for writer in sorted({claim[0] for claim in claims}):
            weights = mix([claim for claim in claims if claim[0] != writer])
            own = [claim for claim in claims if claim[0] == writer and claim[4]]
            if own:
                chances = (figures(own) @ weights).sigmoid().tolist()
                ranked.extend((chance, claim[2] >= 0.5) for chance, claim in zip(chances, own))
        line, count, right = line_of(ranked, precision)
        print(f"{task}: {len(ranked)} of writers left out, {sum(right for _, right in ranked)} true; {count} accepted, {right} rightly")
        for key, value in zip(("cues", "reading", "family", "bias", "line"), (*mix(claims).tolist(), line)):
            found.append(f"{name}:{key}\t{value:.3f}")
    causes = pointed(model, files.tokenizer)
    line, count, right = line_of(causes["held out"], options.precision[2])
    found.append(f"pointed:line\t{torch.tensor(line).exp():.3f}")
    # That of a cause on which the cues agree: see models/adapters/README.md.
    found.append("beside:line\t0.500")
    for name, ranked in causes.items():
        above = [is_right for score, is_right in ranked if score >= line]
        print(f"pointed, {name}: {len(ranked)} effects, likeliest right {sum(right for _, right in ranked)}; given {len(above)}, rightly {sum(above)}")
    print("\n".join(found[1:]))
    if options.out:
        Path(options.out).write_text("\n".join(found) + "\n")


if __name__ == "__main__":
    main()
