"""Fits how cues and the reader of answers weigh together in assets/why-answers.txt, and keeps the weights of the other cues.

    pip install numpy==2.4.6
    python3 models/train/fit_answers.py --candidates candidates.json --line 0.96 --out assets/why-answers.txt

Logistic regression of a candidate's being right on the sum of its cues, the two log probabilities of the reader, and the cues of
FITTED, on the file that `kioku-lab why --candidates` writes (its writers must be unread by the reader). The figures are of writers
that the weights were not fitted on, each left out once, and of the test of the file.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from reader_eval import ROOT

WEIGHTS = ROOT / "assets/why-answers.txt"
PARTS = ("(one)", "(cues)", "(cause)", "(effect)")
# New since the other cues were fitted: hits behind the third, and the span that the reader points at.
FITTED = ("verb:(pointed at)", "hit:0", "hit:1", "hit:2", "hit:3")
PENALTY = 1.0
# As `insight::why`: what holds the cause and more counts as right from here on; causes that share more than this are one; the
# logit of another cause where there is none.
RIGHT, SAME_CAUSE, UNLIKELY = 0.6, 0.4, -6.0


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--candidates", required=True)
    parser.add_argument("--line", type=float, default=0.96, help="the least score of an answer")
    parser.add_argument("--out", help="the file to write")
    return parser.parse_args()


class Example:
    def __init__(self, example, names, weights):
        self.writer, self.spans, rows = example["writer"], [], []
        for one in example["candidates"]:
            cues = [names[cue] for cue in one["cues"]]
            self.spans.append((one["id"], one["cause"]["start"], one["cause"]["end"]))
            of_fitted = [float(name in cues) for name in FITTED]
            rows.append([1.0, sum(weights.get(name, 0.0) for name in cues), *one["pointed"], *of_fitted])
        self.rows = np.array(rows).reshape(len(rows), len(PARTS) + len(FITTED))
        self.truth = np.array([one["truth"] for one in example["candidates"]])

    def likeliest(self, numbers):
        """Score of the likeliest candidate, as `insight::why::likeliest`, and whether it is right; `None` without one."""
        if not self.spans:
            return None
        logits = self.rows @ numbers
        best = int(logits.argmax())
        others = [UNLIKELY] + [logit for logit, span in zip(logits, self.spans) if not is_same(span, self.spans[best])]
        return 1 / (1 + np.exp(max(others) - 2 * logits[best])), self.truth[best] >= RIGHT


def is_same(one, other):
    common = min(one[2], other[2]) - max(one[1], other[1])
    return one[0] == other[0] and common / (max(one[2], other[2]) - min(one[1], other[1])) > SAME_CAUSE


def fit(examples):
    x = np.concatenate([example.rows for example in examples])
    truth = np.concatenate([example.truth for example in examples])
    penalty = PENALTY * np.eye(x.shape[1])
    penalty[0, 0] = 0.0
    numbers = np.zeros(x.shape[1])
    for _ in range(60):
        chances = 1 / (1 + np.exp(-x @ numbers))
        slope = x.T @ (chances - truth) + penalty @ numbers
        step = np.linalg.solve((x * (chances * (1 - chances))[:, None]).T @ x + penalty + 1e-9 * np.eye(len(numbers)), slope)
        numbers -= step
        if abs(step).max() < 1e-6:
            break
    return numbers


def left_out(examples):
    for writer in sorted({example.writer for example in examples}):
        numbers = fit([example for example in examples if example.writer != writer])
        yield from (example.likeliest(numbers) for example in examples if example.writer == writer)


def main():
    options = arguments()
    weights = dict(line.split("\t") for line in WEIGHTS.read_text().splitlines())
    weights = {name: float(weight) for name, weight in weights.items() if name not in (*PARTS, "(line)")}
    found = json.loads(Path(options.candidates).read_text())
    names = found["names"]["names"]
    examples, test = ([Example(one, names, weights) for one in part] for part in (found["examples"], found["test"] or []))
    numbers = fit(examples)
    for name, best in (("left out", list(left_out(examples))), ("test", [one.likeliest(numbers) for one in test])):
        for line in (0.9, 0.92, 0.94, 0.96, 0.98):
            above = [is_right for score, is_right in filter(None, best) if score >= line]
            print(f"{name}: {len(best)} questions, from {line} on {len(above)} answered, {sum(above)} rightly")
    for name, number in zip(FITTED, numbers[len(PARTS) :]):
        weights[name] = weights.get(name, 0.0) + number / numbers[1]
    written = [f"(line)\t{options.line:.3f}", *(f"{part}\t{number:.3f}" for part, number in zip(PARTS, numbers))]
    written += [f"{name}\t{weight:.2f}" for name, weight in sorted(weights.items())]
    if options.out:
        Path(options.out).write_text("\n".join(written) + "\n")


if __name__ == "__main__":
    main()
