"""A reader of questions and entries together: low-rank changes of kioku-reader's matrices (LoRA, Hu et al. 2021)."""

import torch
import torch.nn.functional as F

from reader_eval import ROOT, lines
from reader_model import EMBEDDINGS, F16, GROUP, POSITIONS, Q4_0, Rounded

LONGEST = 256
SEPARATOR = 1
PARTS = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
         "intermediate.dense", "output.dense")  # fmt: skip
# What is pointed at: first and last token of the cause, first and last token of the effect.
POINTERS = 4


class Tokens:
    """A text as it is read: tokens, and the characters of each."""

    def __init__(self, text, ids, spans):
        self.text, self.ids, self.spans = text, ids, spans

    @classmethod
    def of(cls, tokenizer, text):
        """`None` for a text without known words."""
        ids, _, spans = tokenizer.places(text)
        return cls(text, ids, spans) if ids else None

    def above(self, other):
        """With another text on the next line, and how far that one is moved."""
        move = len(self.text) + 1
        spans = [(first + move, end + move) for first, end in other.spans[1:]]
        joined = Tokens(f"{self.text}\n{other.text}", self.ids[:-1] + other.ids[1:], self.spans[:-1] + spans)
        return joined, move


class Item:
    """A question with a text: tokens, and the places of cause and effect (0, 0) where the text has none."""

    def __init__(self, question, text, cause=None, effect=None):
        self.from_text = len(question.ids)
        self.ids = (question.ids + text.ids[1:])[:LONGEST]
        self.spans = ([(0, 0)] * len(question.ids) + text.spans[1:])[:LONGEST]
        self.wanted = [*self.place(cause), *self.place(effect)]

    def place(self, span):
        """First and last token of a span of characters, (0, 0) for none."""
        if span is None:
            return 0, 0
        inside = [n for n in range(self.from_text, len(self.spans))
                  if self.spans[n][0] < span[1] and span[0] < self.spans[n][1]]  # fmt: skip
        return (inside[0], inside[-1]) if inside else (0, 0)


class AdaptedReader(torch.nn.Module):
    """Frozen weights as they are stored, and changes of rank `rank`."""

    def __init__(self, tensors, layers=6, heads=12, rank=32, drop=0.1):
        super().__init__()
        self.fixed = tensors
        self.layers, self.heads, self.drop = layers, heads, drop
        self.low = torch.nn.ParameterDict()
        for at in range(layers):
            for part in PARTS:
                outer, inner = tensors[f"encoder.layer.{at}.{part}.weight"].shape
                name = f"{at}.{part}".replace(".", "_")
                self.low[name + "_down"] = torch.nn.Parameter(torch.randn(rank, inner) / inner**0.5)
                self.low[name + "_up"] = torch.nn.Parameter(torch.zeros(outer, rank))
        self.size = tensors[EMBEDDINGS].shape[1]

    def halves(self, at, part):
        """down, up; up turned round where its rank is no multiple of a group, as it is stored."""
        name = f"{at}.{part}".replace(".", "_")
        down, up = self.low[name + "_down"], self.low[name + "_up"]
        return down, up if up.shape[1] % GROUP == 0 else up.T.contiguous()

    def product(self, x, at, part, kind=torch.bfloat16):
        """x W^T + b with the changed matrix; the change is applied by itself, so that W needs no gradient."""
        weight, bias = (self.fixed[f"encoder.layer.{at}.{part}.{end}"] for end in ("weight", "bias"))
        down, up = (Rounded.apply(half).to(kind) for half in self.halves(at, part))
        up = up if up.shape[0] == weight.shape[0] else up.T
        x = x.to(kind)
        return F.linear(x, weight.to(kind), bias.to(kind)) + F.linear(F.linear(x, down), up)

    def hidden(self, rows, added=None):
        """The last layer's vectors of rows of tokens, rows x longest x size, and which of them are real. `added`: to the vectors
        of the tokens."""
        longest = max(map(len, rows))
        ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
        real = torch.arange(longest)[None] < torch.tensor(list(map(len, rows)))[:, None]
        fixed = self.fixed
        x = fixed[EMBEDDINGS][ids] + fixed[POSITIONS][:longest] + fixed["embeddings.token_type_embeddings.weight"][0]
        x = self.norm(x if added is None else x + added, "embeddings.LayerNorm")
        mask = None if bool(real.all()) else real[:, None, None, :]

        product = self.product

        def dropped(x):
            return F.dropout(x, self.drop, self.training)

        for at in range(self.layers):
            name = f"encoder.layer.{at}."

            def split(part):
                return product(x, at, f"attention.self.{part}").unflatten(-1, (self.heads, -1)).transpose(1, 2)

            seen = F.scaled_dot_product_attention(split("query"), split("key"), split("value"), attn_mask=mask)
            seen = product(seen.transpose(1, 2).flatten(2), at, "attention.output.dense")
            x = self.norm(dropped(seen.float()) + x, name + "attention.output.LayerNorm")
            inner = F.gelu(product(x, at, "intermediate.dense"))
            x = self.norm(dropped(product(inner, at, "output.dense").float()) + x, name + "output.LayerNorm")
        return x, real

    def stored(self):
        """Tensors and kinds by name, as `src/embed/adapted_reader.rs` reads them."""
        found = {}
        for at in range(self.layers):
            for part in PARTS:
                for half, tensor in zip(("down", "up"), self.halves(at, part)):
                    found[f"encoder.layer.{at}.{part}.{half}"] = (tensor.detach(), Q4_0)
        return found

    def take(self, stored):
        """Goes on from stored adapters; of a greater rank the first parts of a singular value decomposition."""
        for at in range(self.layers):
            for part in PARTS:
                down, up = (stored[f"encoder.layer.{at}.{part}.{half}"] for half in ("down", "up"))
                name = f"{at}.{part}".replace(".", "_")
                rank = self.low[name + "_down"].shape[0]
                if down.shape[0] != rank:
                    left, sizes, right = torch.linalg.svd(up @ down, full_matrices=False)
                    roots = sizes[:rank].sqrt()
                    down, up = roots[:, None] * right[:rank], left[:, :rank] * roots
                self.low[name + "_down"].data, self.low[name + "_up"].data = down, up

    def norm(self, x, name):
        return F.layer_norm(x, x.shape[-1:], self.fixed[name + ".weight"], self.fixed[name + ".bias"], 1e-12)


class AnswerReader(AdaptedReader):
    """Points at the answer to a question."""

    def __init__(self, tensors, rank=32):
        super().__init__(tensors, rank=rank)
        kinds = tensors["embeddings.token_type_embeddings.weight"]
        self.of_text = torch.nn.Parameter(kinds[1:2] - kinds[:1])
        self.pointers = torch.nn.Parameter(torch.randn(POINTERS, self.size) * 0.02)
        self.nowhere = torch.nn.Parameter(torch.zeros(POINTERS))

    def forward(self, items):
        """Logits of the pointers: items x longest x pointers; those of [CLS] are those of none."""
        rows = [item.ids for item in items]
        places = torch.arange(max(map(len, rows)))[None]
        starts, ends = (torch.tensor(of)[:, None] for of in ([item.from_text for item in items], [*map(len, rows)]))
        is_text = (places >= starts) & (places < ends)
        x, _ = self.hidden(rows, is_text[..., None] * self.of_text)
        logits = x @ self.pointers.T
        logits[:, 0] = logits[:, 0] + self.nowhere
        open_ = is_text.clone()
        for n, row in enumerate(rows):
            open_[n, len(row) - 1] &= row[-1] != SEPARATOR
        open_[:, 0] = True
        return logits.masked_fill(~open_[..., None], -1e4)

    def stored(self):
        """Tensors and kinds by name, as `src/embed/answer_reader.rs` reads them."""
        found = {name: (getattr(self, name).detach(), F16) for name in ("of_text", "pointers")}
        return {**super().stored(), **found, "nowhere": (self.nowhere.detach()[None], F16)}

    def take(self, stored):
        super().take(stored)
        for name in ("of_text", "pointers", "nowhere"):
            getattr(self, name).data = stored[name].reshape(getattr(self, name).shape)


def batches(items, tokens, chance=None):
    """Places of items of about one length; an item may be a list of items, which stay together."""
    groups = [item if isinstance(item, list) else [item] for item in items]
    length = [max(len(item.ids) for item in group) for group in groups]
    order = sorted(range(len(groups)), key=lambda n: length[n] + (chance.random() * 30 if chance else 0))
    found, batch, longest, count = [], [], 0, 0
    for n in order:
        longest = max(longest, length[n])
        if batch and longest * (count + len(groups[n])) > tokens:
            found.append(batch)
            batch, longest, count = [], length[n], 0
        batch.append(n)
        count += len(groups[n])
    found.append(batch)
    if chance:
        chance.shuffle(found)
    return found


def span_of(text, part):
    at = text.find(part) if part else -1
    return (at, at + len(part)) if at >= 0 else None


def gate(parts):
    """Texts by id, and the questions of each folder."""
    texts, asked = {}, {}
    for part in parts:
        texts.update((line["id"], line["text"]) for line in lines(ROOT / f"tests/gate/{part}/texts.jsonl"))
        asked[part] = lines(ROOT / f"tests/gate/{part}/why.jsonl")
    return texts, asked
