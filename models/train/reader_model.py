"""kioku-reader in PyTorch: reads and writes its files (GGUF, Q4_0), and runs it with weights rounded as they are stored."""

import hashlib
import json
import struct
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load_file

from reader_text import MARKS, Tokenizer

EMBEDDINGS = "embeddings.word_embeddings.weight"
POSITIONS = "embeddings.position_embeddings.weight"
GROUP = 32
F16, Q4_0 = 1, 2


def header(data):
    """Name -> (shape, kind, offset) of a GGUF file without metadata, and where its tensors start."""
    magic, version, count, metadata = struct.unpack_from("<4sIQQ", data, 0)
    assert magic == b"GGUF" and metadata == 0, (magic, version, metadata)
    at, found = 24, {}
    for _ in range(count):
        (length,) = struct.unpack_from("<Q", data, at)
        name = data[at + 8 : at + 8 + length].decode()
        at += 8 + length
        (rank,) = struct.unpack_from("<I", data, at)
        shape = struct.unpack_from(f"<{rank}Q", data, at + 4)[::-1]
        kind, offset = struct.unpack_from("<IQ", data, at + 4 + 8 * rank)
        at += 16 + 8 * rank
        found[name] = (shape, kind, offset)
    return found, -(-at // 32) * 32


def read_gguf(data):
    names, start = header(data)
    tensors = {}
    for name, (shape, kind, offset) in names.items():
        count = int(np.prod(shape))
        if kind == F16:
            values = np.frombuffer(data, np.float16, count, start + offset).astype(np.float32)
        else:
            blocks = np.frombuffer(data, np.uint8, count // GROUP * 18, start + offset).reshape(-1, 18)
            scale = blocks[:, :2].copy().view(np.float16).astype(np.float32)
            halves = np.concatenate([blocks[:, 2:] & 15, blocks[:, 2:] >> 4], 1).astype(np.float32)
            values = ((halves - 8) * scale).reshape(-1)
        tensors[name] = torch.from_numpy(values.reshape(shape).copy())
    return tensors


def levels(weight):
    """The scale of each group of 32, and its numbers from 0 to 15 (Q4_0)."""
    groups = weight.reshape(-1, GROUP)
    most = groups.gather(1, groups.abs().argmax(1, keepdim=True))
    scale = (most / -8).half().float()
    inverse = torch.where(scale == 0, torch.zeros_like(scale), 1 / scale)
    return scale, torch.clamp(torch.floor(groups * inverse + 8.5), 0, 15)


def rounded(weight):
    scale, numbers = levels(weight)
    return ((numbers - 8) * scale).reshape(weight.shape)


class Rounded(torch.autograd.Function):
    """Rounds forward; the gradient passes as it is."""

    @staticmethod
    def forward(_, weight):
        return rounded(weight)

    @staticmethod
    def backward(_, gradient):
        return gradient


def write_gguf(like, tensors):
    """The bytes of a file with the names, shapes and kinds of another."""
    names, start = header(like)
    out = bytearray(like)
    for name, (shape, kind, offset) in names.items():
        assert tuple(tensors[name].shape) == tuple(shape), name
        data = packed(tensors[name], kind)
        out[start + offset : start + offset + len(data)] = data
    return bytes(out)


def packed(tensor, kind):
    """The bytes of a tensor in a kind."""
    tensor = tensor.detach().float().contiguous()
    if kind == F16:
        return tensor.half().numpy().tobytes()
    scale, numbers = levels(tensor)
    numbers = numbers.byte().numpy()
    halves = numbers[:, :16] | numbers[:, 16:] << 4
    return np.concatenate([scale.half().numpy().view(np.uint8), halves], 1).tobytes()


def gguf(tensors):
    """The bytes of a new file: (tensor, kind) by name."""
    head, body = struct.pack("<4sIQQ", b"GGUF", 3, len(tensors), 0), b""
    for name, (tensor, kind) in sorted(tensors.items()):
        body += b"\0" * (-len(body) % 32)
        shape = tuple(tensor.shape)[::-1]
        head += struct.pack("<Q", len(name)) + name.encode() + struct.pack(f"<I{len(shape)}Q", len(shape), *shape)
        head += struct.pack("<IQ", kind, len(body))
        body += packed(tensor, kind)
    return head + b"\0" * (-len(head) % 32) + body


def checksum(card, weights, vocabulary):
    """As `ReaderCard::checksum_of`."""
    rows = card["vietnamese"]
    rows = f"Some(VietnameseRows {{ accented: {rows['accented']}, unaccented: {rows['unaccented']} }})"
    sizes = " ".join(str(card[key]) for key in ("dimension", "layers", "heads", "inner", "positions", "pieces"))
    digest = hashlib.sha256(f"kioku reader 1\n{sizes} {rows}\n".encode())
    for part in (weights, vocabulary):
        digest.update(struct.pack("<Q", len(part)) + part)
    return digest.hexdigest()


class Files:
    """The three files of a model."""

    def __init__(self, folder):
        folder = Path(folder)
        self.card = json.loads((folder / "kioku-reader.json").read_text())
        self.weights = (folder / "reader.gguf").read_bytes()
        self.vocabulary = (folder / "vocab.txt").read_bytes()
        assert checksum(self.card, self.weights, self.vocabulary) == self.card["checksum"]
        lines = self.vocabulary.decode().splitlines()
        self.lines = lines
        rows = self.card["vietnamese"]
        self.tokenizer = Tokenizer(lines, rows["accented"], rows["unaccented"])
        self.english = len(lines) - rows["accented"] - rows["unaccented"]

    def write(self, tensors, folder):
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        weights = write_gguf(self.weights, tensors)
        card = dict(self.card, checksum=checksum(self.card, weights, self.vocabulary))
        (folder / "reader.gguf").write_bytes(weights)
        (folder / "vocab.txt").write_bytes(self.vocabulary)
        (folder / "kioku-reader.json").write_text(json.dumps(card, indent=2) + "\n")


def teacher_tensors(folder):
    tensors = load_file(Path(folder) / "model.safetensors")
    return {n: t.float() for n, t in tensors.items() if t.dim() and "position_ids" not in n and "pooler" not in n}


def start(files, teacher=None):
    """The weights to start from: those of the files, and what of them is the teacher's without rounding."""
    tensors = read_gguf(files.weights)
    if teacher:
        own = teacher_tensors(teacher)
        vocabulary = json.loads((Path(teacher) / "tokenizer.json").read_text())["model"]["vocab"]
        rows = [vocabulary[piece] for piece in ["[CLS]", "[SEP]"] + files.lines[: files.english]]
        words = tensors[EMBEDDINGS]
        words[: files.english + MARKS] = own[EMBEDDINGS][rows]
        tensors.update({name: tensor for name, tensor in own.items() if name not in (EMBEDDINGS, POSITIONS)})
        tensors[POSITIONS] = own[POSITIONS][: files.card["positions"]]
    return {name: tensor.contiguous() for name, tensor in tensors.items()}


class Reader(torch.nn.Module):
    def __init__(self, tensors, layers=6, heads=12, rounds=True):
        super().__init__()
        self.names = {name: name.replace(".", "_") for name in tensors}
        for name, tensor in tensors.items():
            self.register_parameter(self.names[name], torch.nn.Parameter(tensor.clone()))
        self.layers, self.heads, self.rounds = layers, heads, rounds
        self.bf16 = False

    def tensors(self):
        return {name: getattr(self, own).detach() for name, own in self.names.items()}

    def get(self, name):
        return getattr(self, self.names[name])

    def matrix(self, name):
        weight = self.get(name)
        return Rounded.apply(weight) if self.rounds else weight

    def prepare(self):
        """The rounded matrices, once for many batches."""
        names = [n for n in self.names if n.startswith("encoder") and self.get(n).dim() == 2]
        self.ready = {name: self.matrix(name) for name in names}

    def hidden(self, rows):
        """The last layer of rows of tokens of about one length: vectors, and which are padding."""
        longest = max(map(len, rows))
        ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
        real = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows], dtype=torch.bool)
        unique, place = ids.unique(return_inverse=True)
        words = self.get(EMBEDDINGS)[unique]
        words = (Rounded.apply(words) if self.rounds else words)[place]
        x = words + self.get(POSITIONS)[:longest] + self.get("embeddings.token_type_embeddings.weight")[0]
        x = self.norm(x, "embeddings.LayerNorm")
        mask = None if bool(real.all()) else real[:, None, None, :]
        kind = torch.bfloat16 if self.bf16 else torch.float32

        def product(x, name):
            return F.linear(x.to(kind), self.ready[f"{name}.weight"].to(kind), self.get(f"{name}.bias").to(kind))

        for at in range(self.layers):
            name = f"encoder.layer.{at}."

            def split(part):
                return product(x, f"{name}attention.self.{part}").unflatten(-1, (self.heads, -1)).transpose(1, 2)

            seen = F.scaled_dot_product_attention(split("query"), split("key"), split("value"), attn_mask=mask)
            seen = product(seen.transpose(1, 2).flatten(2), name + "attention.output.dense")
            x = self.norm(seen.float() + x, name + "attention.output.LayerNorm")
            inner = F.gelu(product(x, name + "intermediate.dense"))
            x = self.norm(product(inner, name + "output.dense").float() + x, name + "output.LayerNorm")
        return x, real

    def norm(self, x, name):
        return F.layer_norm(x, x.shape[-1:], self.get(name + ".weight"), self.get(name + ".bias"), 1e-12)

    def vectors(self, rows, tokens=2048, fresh=True, words=None):
        """Unit vectors of rows of tokens (all zeros for None), in batches of about one length.

        With `words`, lists of (first, end) of tokens for each row: also the unit vectors of these words, row by row.
        """
        if fresh:
            self.prepare()
        order = sorted((n for n, row in enumerate(rows) if row), key=lambda n: len(rows[n]))
        parts, batch, of_words, starts = [], [], [], {}
        for n in order + [None]:
            if batch and (n is None or len(rows[n]) * (len(batch) + 1) > tokens):
                x, real = self.hidden([rows[m] for m in batch])
                parts.append((x * real[..., None]).sum(1))
                if words is not None:
                    x = torch.cat([torch.zeros_like(x[:, :1]), F.normalize(x, dim=-1)], 1).cumsum(1)
                    spans = [(at, *span) for at, m in enumerate(batch) for span in words[m]]
                    if spans:
                        at, first, end = torch.tensor(spans).T
                        of_words.append(F.normalize(x[at, end] - x[at, first], dim=-1))
                    for m in batch:
                        starts[m] = sum(len(words[k]) for k in starts)
                batch = []
            batch.append(n)
        size = self.get(EMBEDDINGS).shape[1]
        if not parts:
            return torch.zeros(len(rows), size), torch.zeros(0, size)
        found = F.normalize(torch.cat(parts), dim=1)
        where = torch.full((len(rows),), len(order))
        where[torch.tensor(order)] = torch.arange(len(order))
        found = torch.cat([found, torch.zeros(1, size)])[where]
        if words is None:
            return found, None
        places = [starts[n] + k for n, row in enumerate(rows) if row for k in range(len(words[n]))]
        return found, torch.cat(of_words)[torch.tensor(places, dtype=torch.long)]
