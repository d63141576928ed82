"""Writes the verdicts of the checker of bfcl-eval to `cases.json.gz`; see `requirements.txt`.

For each row of its Python categories: a call built from the first accepted values, and ten changes of it. Rows are taken
from the wheel. Of a tool, only the types of its parameters are kept. Values are kept as JSON text, since Python has
different types for 5 and 5.0.
"""

import copy
import gzip
import json
import random
import sys
import types
from pathlib import Path

sys.path.insert(0, sys.argv[1])


class Models(dict):
    """Replaces the table of all models, which imports their clients. Names keep their dots."""

    def __missing__(self, name):
        return types.SimpleNamespace(underscore_to_dot=False)


stub = types.ModuleType("bfcl_eval.constants.model_config")
stub.MODEL_CONFIG_MAPPING = Models()
sys.modules[stub.__name__] = stub
# The converters of Java and JavaScript need tree-sitter.
for language in ["java", "js"]:
    name = f"bfcl_eval.eval_checker.ast_eval.type_convertor.{language}_type_converter"
    sys.modules[name] = types.ModuleType(name)
    setattr(sys.modules[name], f"{language}_type_converter", None)

from bfcl_eval.constants.enums import Language  # noqa: E402
from bfcl_eval.eval_checker.ast_eval.ast_checker import ast_checker  # noqa: E402

CATEGORIES = [
    "simple_python",
    "multiple",
    "parallel",
    "parallel_multiple",
    "live_simple",
    "live_multiple",
    "live_parallel",
    "live_parallel_multiple",
]
# Whether a call is expected: these rows have no accepted calls.
RELEVANCE = {"irrelevance": False, "live_irrelevance": False, "live_relevance": True}
CHANGES = 10


def lines_of(path):
    """Reads a file of the wheel, which is a zip archive that Python imports from."""
    import zipfile

    with zipfile.ZipFile(sys.argv[1]) as wheel:
        return [json.loads(line) for line in wheel.read(f"bfcl_eval/data/{path}").decode().splitlines() if line]


def first_value(value):
    """A value that is built from accepted ones: those of objects are lists of accepted values."""
    if isinstance(value, dict):
        members = {key: first_value(first_of(accepted)) for key, accepted in value.items() if first_of(accepted) != ""}
        return members
    if isinstance(value, list):
        return [first_value(element) if isinstance(element, dict) else element for element in value]
    return value


def first_of(accepted):
    if not isinstance(accepted, list):
        return accepted
    return next((value for value in accepted if value != ""), "")


def first_call(accepted):
    [(name, parameters)] = accepted.items()
    args = {}
    for parameter, values in parameters.items():
        if values and values[0] != "":
            args[parameter] = first_value(values[0])
    return [name, args]


def near_text(rng, text):
    changes = [
        lambda: text.upper(),
        lambda: text.swapcase(),
        lambda: text.replace(" ", "-"),
        lambda: text + ".",
        lambda: " " + text,
        lambda: text.replace("'", '"'),
        lambda: text[:-1],
        lambda: text + "s",
        lambda: text + "\N{LATIN SMALL LETTER E WITH ACUTE}",
        lambda: "_".join(text.split()),
        lambda: text.replace(",", ""),
        lambda: "",
    ]
    return rng.choice(changes)()


def changed(rng, value, accepted):
    """Another value: of another type, near it, or another accepted one."""
    others = ["", None, True, 0, 1, 1.0, "x", [], {}, [value], str(value), {"value": value}]
    if isinstance(value, bool):
        others += [not value, int(value), str(value).lower()] * 3
    elif isinstance(value, (int, float)):
        others += [float(value), value + 1, -value, value + 0.5, str(value), value * 1000] * 3
        if float(value).is_integer():
            others += [int(value), float(int(value))] * 4
    elif isinstance(value, str):
        others += [near_text(rng, value) for _ in range(24)]
    elif isinstance(value, list):
        others += [value[::-1], value[:-1], value + value, value + ["x"], value + [1], ["x"] * len(value)] * 2
        for _ in range(12):
            if value:
                copied = copy.deepcopy(value)
                at = rng.randrange(len(copied))
                copied[at] = changed(rng, copied[at], None)
                others.append(copied)
    elif isinstance(value, dict):
        others += [{**value, "extra": 1}] * 2
        for _ in range(16):
            if value:
                copied = copy.deepcopy(value)
                key = rng.choice(list(copied))
                if rng.random() < 0.3:
                    del copied[key]
                else:
                    copied[key] = changed(rng, copied[key], None)
                others.append(copied)
    if accepted:
        others += [first_value(value) for value in accepted] * 3
    return rng.choice(others)


def change(rng, calls, answers, names):
    """A change of the calls, as a list that `bfcl.test.ts` applies to the first call, and its result."""
    calls = copy.deepcopy(calls)
    at = rng.randrange(len(calls))
    name, args = calls[at]
    accepted = next(iter(answers[at].values()))
    kinds = ["set"] * 12 + ["delete"] * 2 + ["add"] * 2 + ["name"] + ["drop"] + ["repeat"] + ["reverse"] * 2 + ["none"]
    kind = rng.choice(kinds)
    if kind in ("set", "delete") and not args:
        kind = "add"
    if kind == "set":
        parameter = rng.choice(list(args))
        args[parameter] = changed(rng, args[parameter], accepted.get(parameter))
        return calls, [kind, at, parameter, json.dumps(args[parameter])]
    if kind == "delete":
        parameter = rng.choice(list(args))
        del args[parameter]
        return calls, [kind, at, parameter]
    if kind == "add":
        optional = [parameter for parameter in accepted if parameter not in args]
        parameter = rng.choice(optional + [f"unknown{rng.randrange(100)}"])
        values = accepted.get(parameter) or ["x"]
        args[parameter] = first_value(rng.choice(values))
        return calls, ["set", at, parameter, json.dumps(args[parameter])]
    if kind == "name":
        calls[at][0] = rng.choice([f"{name}_{rng.randrange(100)}", name.upper(), name.replace(".", "_"), *names])
        return calls, [kind, at, calls[at][0]]
    if kind == "drop":
        del calls[at]
        return calls, [kind, at]
    if kind == "repeat":
        calls.append(copy.deepcopy(calls[at]))
        return calls, [kind, at]
    if kind == "reverse":
        return calls[::-1], [kind]
    return [], ["none"]


def verdict(tools, calls, answers, category):
    output = [{name: args} for name, args in calls]
    try:
        result = ast_checker(tools, output, answers, Language.PYTHON, category, "model")
        return 1 if result["valid"] else 0
    except Exception:
        # Its runner would end here.
        return 2


def type_of(schema):
    return [schema.get("type"), schema.get("items", {}).get("type")]


def reduced(tool):
    parameters = tool["parameters"]
    properties = {name: type_of(schema) for name, schema in parameters["properties"].items()}
    return [tool["name"], properties, parameters["required"]]


def texts(values):
    return {name: json.dumps(value) for name, value in values.items()}


def cases():
    rng = random.Random(20261123)
    rows = []
    for category in CATEGORIES:
        answers_of = {row["id"]: row["ground_truth"] for row in lines_of(f"possible_answer/BFCL_v4_{category}.json")}
        for row in lines_of(f"BFCL_v4_{category}.json"):
            answers, tools = answers_of[row["id"]], row["function"]
            names = [tool["name"] for tool in tools]
            called = {name for answer in answers for name in answer}
            first = [first_call(answer) for answer in answers]
            changes, bits = [], [verdict(tools, first, answers, category)]
            seen = {json.dumps(first)}
            while len(changes) < CHANGES:
                calls, how = change(rng, first, answers, names)
                if json.dumps(calls) in seen:
                    continue
                seen.add(json.dumps(calls))
                changes.append(how)
                bits.append(verdict(tools, calls, answers, category))
            rows.append(
                {
                    "id": row["id"],
                    "tools": [reduced(tool) for tool in tools if tool["name"] in called],
                    "answers": [[name, texts(values)] for answer in answers for name, values in answer.items()],
                    "first": [[name, texts(args)] for name, args in first],
                    "changes": changes,
                    "verdicts": "".join(map(str, bits)),
                }
            )
    relevance = [
        {"category": category, "ids": [row["id"] for row in lines_of(f"BFCL_v4_{category}.json")], "expects": expects}
        for category, expects in RELEVANCE.items()
    ]
    return {"rows": rows, "relevance": relevance}


if __name__ == "__main__":
    written = json.dumps(cases(), ensure_ascii=False, separators=(",", ":"))
    path = Path(__file__).with_name("cases.json.gz")
    path.write_bytes(gzip.compress(written.encode(), mtime=0))
    print(len(written), path.stat().st_size)
