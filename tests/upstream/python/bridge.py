"""A plugin of pytest: what tests import of upstream is a process of Node that has this package."""

import asyncio
import importlib.abc
import importlib.machinery
import inspect
import json
import os
import re
import signal
import subprocess
import sys
import threading
import types

import pytest

WORDS = {"llm": "LLM", "e2b": "E2B", "langgraph": "LangGraph"}


class OpenEvalsError(ValueError):
    """What the package throws."""


def camel(name):
    bare = name.lstrip("_")
    first, *rest = bare.split("_")
    words = "".join(WORDS.get(word, word[:1].upper() + word[1:]) for word in rest)
    return "_" * (len(name) - len(bare)) + first + words


def snake(name):
    return re.sub("([A-Z])", lambda found: "_" + found.group().lower(), name)


class Node:
    """The process. Calls take turns; within one, it may call functions of Python."""

    def __init__(self):
        command = json.loads(os.environ["UPSTREAM_BRIDGE"])
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        self.functions = []
        self.lock = threading.RLock()
        self.last = 0

    def write(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, message, loop=None):
        with self.lock:
            self.last += 1
            number = self.last
            self.write({"id": number, **message})
            while True:
                line = self.process.stdout.readline()
                if not line:
                    raise RuntimeError("the bridge has ended")
                answer = json.loads(line)
                if "callback" in answer:
                    self.reply(answer, loop)
                elif answer["id"] == number:
                    break
        if "error" in answer:
            error = answer["error"]
            kind = AttributeError if error.get("code") == "missing" else OpenEvalsError
            raise kind(error["message"])
        return answer["value"]

    def reply(self, asked, loop):
        try:
            value = self.functions[asked["fn"]](*asked["args"])
            if inspect.isawaitable(value):
                value = asyncio.run_coroutine_threadsafe(value, loop).result() if loop else asyncio.run(value)
            self.write({"reply": asked["callback"], "value": self.encode(value)})
        except Exception as error:
            self.write({"reply": asked["callback"], "error": str(error)})

    def function(self, function):
        self.functions.append(function)
        return len(self.functions) - 1

    def encode(self, value):
        kind = type(value).__name__
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        if isinstance(value, Bridged):
            return {"$handle": value.handle}
        if kind in ("OpenAI", "AsyncOpenAI"):
            return {"$openai": {}}
        if kind == "ChatOpenAI":
            return {"$langchain": {"model": value.model_name, "useResponsesApi": bool(value.use_responses_api)}}
        if kind in ("LocalSandbox", "LocalAsyncSandbox"):
            return {"$sandbox": {}}
        if hasattr(value, "get_state_history"):
            return {"$graph": self.function(lambda config: list(map(plain, value.get_state_history(config))))}
        if hasattr(value, "invoke") and hasattr(value, "input_variables"):
            return self.prompt(value)
        if isinstance(value, type):
            return schema_of(value)
        if isinstance(value, dict):
            return {str(name): self.encode(inner) for name, inner in value.items()}
        if isinstance(value, (list, tuple, set)):
            return [self.encode(inner) for inner in value]
        if callable(value):
            return {"$function": self.function(value)}
        return self.encode(plain(value))

    def prompt(self, prompt):
        fill = lambda variables: [plain(message) for message in prompt.invoke(variables).to_messages()]
        return {"$prompt": {"fn": self.function(fill), "schema": getattr(prompt, "schema_", None)}}


def schema_of(kind):
    from pydantic import TypeAdapter

    return {"title": kind.__name__, **TypeAdapter(kind).json_schema()}


def plain(value):
    """What an object of LangChain or LangGraph is as data."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, dict):
        return {str(name): plain(inner) for name, inner in value.items()}
    kind = type(value).__name__
    if kind == "StateSnapshot":
        return {name: plain(getattr(value, name)) for name in ("values", "next", "config", "metadata", "tasks")}
    if kind == "PregelTask":
        return {name: plain(getattr(value, name)) for name in ("name", "interrupts", "result", "state")}
    if kind == "Interrupt":
        return {"value": plain(value.value)}
    if isinstance(value, (list, tuple, set)):
        return [plain(inner) for inner in value]
    if hasattr(value, "model_dump"):
        return plain(value.model_dump(exclude_none=True))
    return str(value)


# How Python's own functions are called, by the option: what JavaScript passes in one object.
def adapted(name, function):
    if name in ("prompt", "trajectory_evaluators"):
        return lambda params: function(**keywords(params))
    if name in ("app", "user", "stopping_condition"):
        first = "inputs" if name == "app" else "trajectory"
        return lambda params: function(params[first], **keywords(params, first))
    return function


def keywords(params, *without):
    return {snake(name): value for name, value in params.items() if name not in without}


def arguments(node, options):
    encoded = {}
    for name, value in options.items():
        if name == "trajectory_evaluators":
            value = [one if isinstance(one, Bridged) else adapted(name, one) for one in value]
        elif inspect.isroutine(value):
            value = adapted(name, value)
        encoded[camel(name)] = node.encode(value)
    return encoded


def result(value, is_asynchronous=False):
    """As Python's evaluators answer: with a place for everything."""
    if isinstance(value, list):
        return [result(one, is_asynchronous) for one in value]
    if isinstance(value, dict):
        if set(value) == {"$handle"}:
            return Bridged(value["$handle"], is_asynchronous)
        if "trajectory" in value:
            return {snake(name): result(inner) for name, inner in value.items()}
        if "key" in value and "score" in value:
            return {"comment": None, "metadata": None, **value}
    return value


def call(target, is_asynchronous, args, options):
    node = running()
    message = {**target, "args": [*map(node.encode, args)] + ([arguments(node, options)] if options or not args else [])}
    if not is_asynchronous:
        return result(node.ask(message))

    async def asked():
        loop = asyncio.get_running_loop()
        return result(await asyncio.to_thread(node.ask, message, loop))

    return asked()


class Bridged:
    """A function of the package that was made by another one."""

    def __init__(self, handle, is_asynchronous):
        self.handle = handle
        self.is_asynchronous = is_asynchronous

    def __call__(self, *args, **options):
        return call({"handle": self.handle}, self.is_asynchronous, args, options)


def function(name):
    is_maker = name.lstrip("_").startswith("create_")
    is_asynchronous = name.endswith("_async") or "_async_" in name or name.startswith("aextract_")
    own = re.sub("_async$", "", name.replace("_async_", "_")).replace("aextract_", "extract_")

    def bridged(*args, **options):
        if not is_maker:
            return call({"call": camel(own)}, is_asynchronous, args, options)
        node = running()
        if "e2b_execution" in own:
            # There, all code is Python.
            options["language"] = "python"
        if "embedding_similarity" in own:
            # Python's default.
            options.setdefault("embeddings", "openai:text-embedding-3-small")
        if options.get("code_extraction_strategy") == "all":
            # Upstream's types do not have it, its tests do, and all that is no other strategy is this one.
            options["code_extraction_strategy"] = "none"
        return result(node.ask({"call": camel(own), "args": [arguments(node, options)]}), is_asynchronous)

    return bridged


process = None


def running():
    global process
    process = process or Node()
    return process


class Module(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name.isupper():
            return running().ask({"get": name})
        # The types are dictionaries.
        return dict if name[:1].isupper() else function(name)


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("openevals", "agentevals"):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return Module(spec.name)

    def exec_module(self, module):
        pass


sys.meta_path.insert(0, Finder())


SECONDS = 60


# A test that hangs ends with its process of Node, whose answer it may be waiting for.
@pytest.hookimpl(wrapper=True)
def pytest_runtest_call():
    def stop(*_):
        global process
        if process:
            process.process.kill()
            process = None
        raise TimeoutError(f"the test took longer than {SECONDS} seconds")

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        return (yield)
    finally:
        signal.alarm(0)


# What becomes of each test, a JSON document a line.
def pytest_runtest_logreport(report):
    # What has failed before the test itself counts as well.
    if report.when == "call" or report.failed:
        problem = str(report.longrepr) if report.failed else None
        if not report.skipped:
            tell(report.nodeid, problem)


def pytest_collectreport(report):
    if report.failed:
        tell(report.nodeid, str(report.longrepr))


def tell(test, problem):
    # The message stands at the end of what pytest says.
    with open(os.environ["UPSTREAM_REPORT"], "a", encoding="utf-8") as file:
        print(json.dumps({"test": test, "problem": problem and problem[-1500:]}), file=file)
