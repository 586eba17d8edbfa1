"""Averages the weights of trained models of the same form (model soup, Wortsman et al. 2022): three files each, or adapters.

    python3 models/train/average.py FOLDER... --out OUT
    python3 models/train/average.py ADAPTERS.gguf ADAPTERS.gguf --shares 0.35 0.65 --out OUT.gguf
"""

import argparse
from pathlib import Path

from reader_model import Files, read_gguf, write_gguf


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", required=True)
    parser.add_argument("--shares", type=float, nargs="+", help="of each model; else all the same")
    parser.add_argument("models", nargs="+", metavar="MODEL")
    options = parser.parse_args()
    shares = options.shares or [1 / len(options.models)] * len(options.models)
    are_adapters = options.models[0].endswith(".gguf")
    data = [Path(model).read_bytes() if are_adapters else Files(model).weights for model in options.models]
    weights = [read_gguf(one) for one in data]
    mean = {name: sum(share * own[name] for share, own in zip(shares, weights, strict=True)) for name in weights[0]}
    if are_adapters:
        Path(options.out).write_bytes(write_gguf(data[0], mean))
    else:
        Files(options.models[0]).write(mean, options.out)


if __name__ == "__main__":
    main()
