"""Averages the weights of trained models of the same form (model soup, Wortsman et al. 2022), and writes the three files.

    python3 models/train/average.py --out OUT FOLDER...
"""

import argparse

from reader_model import Files, read_gguf


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", required=True)
    parser.add_argument("models", nargs="+", metavar="FOLDER")
    options = parser.parse_args()
    models = [Files(folder) for folder in options.models]
    weights = [read_gguf(model.weights) for model in models]
    models[0].write({name: sum(own[name] for own in weights) / len(weights) for name in weights[0]}, options.out)


if __name__ == "__main__":
    main()
