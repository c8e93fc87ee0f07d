"""A cross-encoder of a few hundred bytes, in the files that a real one has: its score is how many words the two texts share."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from onnx import TensorProto, helper, save
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
LONGEST = 64
"""Tokens of a pair."""


def write(folder: Path, words: Sequence[str], *, file: str = "model.onnx") -> Path:
    """Write the model into the folder and give the folder back."""
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    _write_tokenizer(folder, words)
    _write_network(folder / file)
    return folder


def _write_tokenizer(folder: Path, words: Sequence[str]) -> None:
    numbers = {token: number for number, token in enumerate([*SPECIAL, *words])}
    tokenizer = Tokenizer(WordLevel(numbers, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", numbers["[CLS]"]), ("[SEP]", numbers["[SEP]"])],
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    for name, values in {
        "config.json": {"pad_token_id": 0, "model_type": "bert"},
        "tokenizer_config.json": {"model_max_length": LONGEST, "pad_token": "[PAD]"},
        "special_tokens_map.json": {"pad_token": "[PAD]", "unk_token": "[UNK]"},
    }.items():
        (folder / name).write_text(json.dumps(values), encoding="utf-8")


def _write_network(file: Path) -> None:
    """Pairs of places that hold the same word, one in the question (type 0) and one in the passage (type 1), counted."""
    nodes = [
        helper.make_node("Unsqueeze", ["input_ids", "two"], ["down"]),
        helper.make_node("Unsqueeze", ["input_ids", "one"], ["across"]),
        helper.make_node("Equal", ["down", "across"], ["same"]),
        helper.make_node("Equal", ["token_type_ids", "nought"], ["asking"]),
        helper.make_node("Greater", ["input_ids", "last_special"], ["word"]),
        helper.make_node("And", ["asking", "word"], ["asked"]),
        helper.make_node("Not", ["asking"], ["told"]),
        helper.make_node("Unsqueeze", ["asked", "two"], ["asked_down"]),
        helper.make_node("Unsqueeze", ["told", "one"], ["told_across"]),
        helper.make_node("And", ["asked_down", "told_across"], ["between"]),
        helper.make_node("And", ["same", "between"], ["shared"]),
        helper.make_node("Cast", ["shared"], ["counted"], to=TensorProto.FLOAT),
        helper.make_node("ReduceSum", ["counted", "both"], ["sum"], keepdims=0),
        helper.make_node("Unsqueeze", ["sum", "one"], ["logits"]),
    ]
    constants = {"nought": [0], "one": [1], "two": [2], "both": [1, 2], "last_special": [len(SPECIAL) - 1]}
    graph = helper.make_graph(
        nodes,
        "shared-words",
        [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"])
            for name in ("input_ids", "token_type_ids")
        ],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["texts", 1])],
        [helper.make_tensor(name, TensorProto.INT64, [len(v)], v) for name, v in constants.items()],
    )
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), str(file))
