"""Writes the verdicts of tau2-bench's evaluator on runs in a domain of our own to `cases.json.gz`; see `requirements.txt`.

A case is a task and a recorded run: the expected actions with some changes, and texts. `tau2.test.ts` has the same tools.
"""

import copy
import gzip
import json
import random
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

COMMIT = "a2c024725189473d2d7cea3a5cfdbcc67478e41f"
CASES = 800

root = Path(sys.argv[1])
commit = subprocess.run(["git", "-C", root, "rev-parse", "HEAD"], capture_output=True, text=True).stdout.strip()
if commit != COMMIT:
    sys.exit(f"{root} is at {commit or 'no commit'}; check out {COMMIT}.")


def stub(name, **members):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(members)


# The package imports clients of models, the registry imports all domains, and the judged assertions ask a model.
stub("tau2", __path__=[str(root / "src" / "tau2")])
stub("tau2.registry", registry=types.SimpleNamespace(get_env_constructor=lambda _domain: shop))
judged = {"NLAssertionsEvaluator": None, "FullDuplexNLAssertionsEvaluator": None}
stub("tau2.evaluator.evaluator_nl_assertions", **judged)

from loguru import logger  # noqa: E402

logger.remove()

from tau2.data_model.message import ToolCall  # noqa: E402
from tau2.data_model.simulation import SimulationRun  # noqa: E402
from tau2.data_model.tasks import Task  # noqa: E402
from tau2.environment.db import DB  # noqa: E402
from tau2.environment.environment import Environment  # noqa: E402
from tau2.environment.toolkit import ToolKitBase, ToolType, is_tool  # noqa: E402
from tau2.evaluator.evaluator import EvaluationType, evaluate_simulation  # noqa: E402


class Shop(DB):
    orders: dict[str, Any]
    notes: list[Any]
    pings: int


class Phone(DB):
    on: Any


class ShopTools(ToolKitBase):
    @is_tool(ToolType.READ)
    def find(self, order: Any, fields: Any = None) -> Any:
        return self.db.orders[order]

    @is_tool(ToolType.WRITE)
    def change(self, order: Any, field: Any, value: Any) -> None:
        if not isinstance(field, str):
            raise TypeError("fields have names")
        self.db.orders[order][field] = value

    @is_tool(ToolType.WRITE)
    def note(self, text: Any) -> None:
        self.db.notes.append(text)

    @is_tool(ToolType.WRITE)
    def close(self, order: Any, reason: Any = None) -> None:
        """Leaves a note even if there is no such order."""
        self.db.notes.append(reason)
        self.db.orders[order]["status"] = "closed"

    @is_tool(ToolType.WRITE)
    def escalate(self, reason: Any) -> None:
        raise ValueError("nobody is there")

    @is_tool(ToolType.WRITE)
    def ping(self) -> int:
        self.db.pings += 1
        return self.db.pings


class PhoneTools(ToolKitBase):
    @is_tool(ToolType.WRITE)
    def switch(self, on: Any) -> None:
        self.db.on = on


def shop(solo_mode=False):
    orders = {"a7": {"status": "open", "total": 9.5}, "a8": {"status": "open", "total": 1200}}
    tools = ShopTools(Shop(orders=orders, notes=[], pings=0))
    return Environment("shop", "", tools, PhoneTools(Phone(on=False)), solo_mode=solo_mode)


SCALARS = [0, 1, 1.0, 2, 1.5, 1200, "1", "1.0", True, False, None, "", "x", "X", "x ", "true", "\u00e9", "e\u0301"]
ORDERS = ["a7", "a7", "a7", "a8", "a8", "A7", "a9", 7]
PARAMETERS = {
    "find": ["order", "fields"],
    "change": ["order", "field", "value"],
    "note": ["text"],
    "close": ["order", "reason"],
    "escalate": ["reason"],
    "ping": [],
    "switch": ["on"],
}


def value(rng, levels=2):
    kind = rng.random()
    if levels and kind < 0.12:
        return [value(rng, levels - 1) for _ in range(rng.randrange(4))]
    if levels and kind < 0.3:
        return {key: value(rng, levels - 1) for key in rng.sample("abc", rng.randrange(4))}
    return rng.choice(SCALARS)


def argument(rng, parameter):
    if parameter == "order":
        return rng.choice(ORDERS)
    if parameter == "field":
        return rng.choice(["status", "total", "by"])
    return value(rng)


def call(rng):
    name = rng.choice([*PARAMETERS, "change", "note", "find"])
    args = {parameter: argument(rng, parameter) for parameter in PARAMETERS[name]}
    if name in ("find", "close") and rng.random() < 0.4:
        args.popitem()
    return {"requestor": "user" if name == "switch" else "assistant", "name": name, "arguments": args}


def compared_args(rng, args):
    kind = rng.random()
    if kind < 0.5:
        return None
    if kind < 0.6:
        return []
    return rng.sample([*args, "extra"], rng.randint(1, len(args) + 1))


NEAR = {
    int: [float, float, str, bool],
    float: [int, int, str, bool],
    bool: [int, float, str],
    str: [str.upper, str.strip, str.title],
}


def near(rng, given):
    """Almost the same value: of another type, in another order, or with a difference inside."""
    if isinstance(given, dict) and given:
        if rng.random() < 0.5:
            return dict(reversed(given.items()))
        key = rng.choice(list(given))
        return {**given, key: near(rng, given[key])}
    if isinstance(given, list) and given:
        if rng.random() < 0.4:
            return given[::-1]
        at = rng.randrange(len(given))
        return [*given[:at], near(rng, given[at]), *given[at + 1 :]]
    converted = NEAR.get(type(given))
    return rng.choice(converted)(given) if converted and rng.random() < 0.8 else value(rng)


def change(rng, calls):
    kind = rng.choice(["near"] * 6 + ["insert", "shuffle", "drop", "repeat", "lose", "extra", "order", "rename", "switch"])
    if kind == "insert" or not calls:
        calls.insert(rng.randint(0, len(calls)), call(rng))
    elif kind == "shuffle":
        rng.shuffle(calls)
    else:
        at = rng.randrange(len(calls))
        args = calls[at]["arguments"]
        if kind == "drop":
            del calls[at]
        elif kind == "repeat":
            calls.insert(rng.randint(0, len(calls)), copy.deepcopy(calls[at]))
        elif kind == "rename":
            calls[at]["name"] = rng.choice(["unknown", calls[at]["name"].upper(), *PARAMETERS])
        elif kind == "switch":
            calls[at]["requestor"] = "user" if calls[at]["requestor"] == "assistant" else "assistant"
        elif kind == "extra":
            args["extra"] = value(rng)
        elif kind == "order":
            calls[at]["arguments"] = dict(reversed(args.items()))
        elif args:
            parameter = rng.choice(list(args))
            if kind == "lose":
                del args[parameter]
            else:
                args[parameter] = near(rng, args[parameter])


# What is said, and what may be demanded of it.
TEXTS = {
    "It is $1,200 in OSLO.": ["1200", "1,200", "oslo", "$1200 in", "OSLO", "200", "oslo,"],
    "Sum: 1,234,567.50, net": ["1234567.50", "1,234,567.50", "67.50 net", "SUM:"],
    "Stra\u00dfe \u0130\u03a3": ["STRASSE", "stra\u00dfe", "\u0130", "i", "\u03c3", "\u03a3", "\u03c2"],
    "caf\u00e9, caf\u00e9": ["CAF\u00c9", "cafe\u0301", "caf\u00e9 caf\u00e9"],
    "12": ["1200"],
    "00": ["1200", "0", "0 "],
    "": ["not said", ""],
    "  ": [" ", "\n"],
}
STOPS = ["user_stop", "agent_stop"] * 7
EARLY = ["max_steps", "timeout", "too_many_errors", "agent_error", "user_error", "unexpected_error"]
EARLY += ["infrastructure_error", "context_window_exceeded"]
PARTS = ["DB", "COMMUNICATE", "ACTION"]


def criteria(rng, index, expected, said):
    if index % 40 == 0:
        return None
    demanded = [text for message in said for text in TEXTS[message]]
    listed = rng.random()
    return {
        "actions": None if listed < 0.08 else [] if listed < 0.16 else expected,
        "communicate_info": rng.choice([None, [], *[rng.sample(demanded, min(len(demanded), rng.randint(1, 3)))] * 6]),
        # Every combination, in turn.
        "reward_basis": rng.sample([part for bit, part in enumerate(PARTS) if index >> bit & 1], (index & 7).bit_count()),
    }


def recorded(rng, calls, said):
    """The messages of a run: calls with their results in the environment, and texts."""
    environment = shop()
    messages = [{"role": "user", "content": "Hello"}]
    left = list(said)
    while calls or left:
        if left and (not calls or rng.random() < 0.4):
            role = rng.choice(["assistant"] * 5 + ["user"])
            messages.append({"role": role, "content": left.pop()})
            continue
        role = calls[0]["requestor"]
        own = []
        while calls and calls[0]["requestor"] == role and len(own) < rng.randint(1, 2):
            own.append({"id": f"c{len(messages)}-{len(own)}", **calls.pop(0)})
        content = left.pop() if left and rng.random() < 0.3 else None
        messages.append({"role": role, "content": content, "tool_calls": own})
        for made in own:
            result = environment.get_response(ToolCall(**copy.deepcopy(made)))
            messages.append(result.model_dump(include={"id", "role", "content", "requestor", "error"}))
    return messages


def case(rng, index):
    expected = [call(rng) for _ in range(rng.choice([0, 1, 1, 1, 2, 2, 3]))]
    calls = copy.deepcopy(expected)
    for _ in range(rng.choice([0, 1, 1, 1, 2, 3])):
        change(rng, calls)
    for number, action in enumerate(expected):
        action |= {"action_id": str(number), "compare_args": compared_args(rng, action["arguments"])}
    said = rng.sample(list(TEXTS), rng.randint(0, 4))
    heard = said if rng.random() < 0.8 else [*said, rng.choice(list(TEXTS))]
    return {
        "evaluation_criteria": criteria(rng, index, expected, heard),
        "termination_reason": rng.choice([*STOPS, rng.choice(EARLY)]),
        "messages": recorded(rng, calls, said),
    }


def verdict(given, strict=True):
    """The reward and its parts. If strict, recorded results have to be repeated to the letter."""
    given = copy.deepcopy(given)
    messages = {"termination_reason": given["termination_reason"], "messages": given["messages"]}
    run = SimulationRun(id="run", task_id="task", start_time="", end_time="", duration=0, **messages)
    task = Task(id="task", user_scenario={"instructions": ""}, evaluation_criteria=given["evaluation_criteria"])
    info = evaluate_simulation(
        run, task, EvaluationType.ALL, solo_mode=False, domain="shop", strict_replay=strict
    )
    parts = {part.value: met for part, met in (info.reward_breakdown or {}).items()}
    return {"reward": info.reward, "reward_breakdown": parts}


def whole(text):
    return int(float(text)) if float(text).is_integer() else float(text)


def in_javascript(given):
    """The case as JavaScript reads it: 1.0 is 1."""
    return json.loads(json.dumps(given), parse_float=whole)


def cases():
    rng = random.Random(20261124)
    rows = []
    for index in range(CASES):
        given = case(rng, index)
        row = {**given, **verdict(given)}
        converted = verdict(in_javascript(given), strict=False)
        if converted != verdict(given):
            row["in_javascript"] = converted
        rows.append(row)
    return rows


if __name__ == "__main__":
    rows = cases()
    written = json.dumps({"commit": COMMIT, "cases": rows}, ensure_ascii=False, separators=(",", ":"))
    path = Path(__file__).with_name("cases.json.gz")
    path.write_bytes(gzip.compress(written.encode(), mtime=0))
    print(len(rows), sum(row["reward"] for row in rows), sum("in_javascript" in row for row in rows))
    print(len(written), path.stat().st_size)
