"""Draw the pictures beside this file: ``python -m docs.pictures [name ...] [--png FOLDER]``."""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from pathlib import Path

import vl_convert

from docs.pictures.style import write

HERE = Path(__file__).parent
NAMES = (
    "gaussian",
    "mixture",
    "naive_bayes",
    "words",
    "mixed",
    "documents",
    "least_squares",
    "logistic",
    "networks",
    "projection",
    "evaluation",
    "complexity",
    "choosing",
    "features",
    "plans",
    "decision",
    "statistics",
    "neighbors",
    "cluster",
    "recommend",
    "perceptron",
    "svm",
    "kernels",
    "many_classes",
    "calibration",
    "feature_space",
    "lasso",
    "trees",
    "parametric",
    "bias_variance",
)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m docs.pictures", description="Draw the pictures of the docs."
    )
    parser.add_argument(
        "names", nargs="*", metavar="name", help=f"which ones: {', '.join(NAMES)}; none means all"
    )
    parser.add_argument("--png", type=Path, metavar="FOLDER", help="also write PNG files there, to look at")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in NAMES]
    if unknown:
        parser.error(f"there is no picture {unknown[0]!r}: use {', '.join(NAMES)}")
    for name in options.names or NAMES:
        start = time.monotonic()
        path = HERE / f"{name}.svg"
        size = write(importlib.import_module(f"docs.pictures.{name}").chart(), path)
        if options.png:
            options.png.mkdir(parents=True, exist_ok=True)
            image = vl_convert.svg_to_png(path.read_text(encoding="utf-8"), scale=1.5)
            (options.png / f"{name}.png").write_bytes(image)
        seconds = time.monotonic() - start
        sys.stdout.write(f"docs/pictures/{name}.svg  {size / 1000:.0f} kB  {seconds:.1f} s\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
