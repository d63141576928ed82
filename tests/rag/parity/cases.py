"""Writes the scores of Ragas 0.4.3 for random verdicts to `cases.json.gz`; see `requirements.txt`.

A scripted model answers each question, so the cases are about the arithmetic alone. No model is asked.
"""

import asyncio
import gzip
import json
import random
import sys
import types
from pathlib import Path

# Ragas imports this module, which current versions of its dependency no longer have.
stub = types.ModuleType("langchain_community.chat_models.vertexai")
stub.ChatVertexAI = type("ChatVertexAI", (), {})
sys.modules[stub.__name__] = stub

import numpy as np  # noqa: E402
from ragas.embeddings.base import BaseRagasEmbedding  # noqa: E402
from ragas.llms.base import InstructorBaseRagasLLM  # noqa: E402
from ragas.metrics import collections as ragas  # noqa: E402
from ragas.metrics.collections.factual_correctness import metric as factual  # noqa: E402

CASES = 500
rng = random.Random(20261123)


class Unrounded:
    """numpy, except that nothing is rounded: Ragas rounds factual correctness to two digits."""

    round = staticmethod(lambda value, digits: value)

    def __getattr__(self, name):
        return getattr(np, name)


factual.np = Unrounded()


class Model(InstructorBaseRagasLLM):
    """Gives these answers, one after the other."""

    def __init__(self, *answers):
        self.answers = list(answers)

    def generate(self, prompt, response_model):
        return response_model(**self.answers.pop(0))

    async def agenerate(self, prompt, response_model):
        return self.generate(prompt, response_model)


class Vectors(BaseRagasEmbedding):
    """The vectors of texts."""

    def __init__(self, vectors):
        super().__init__()
        self.vectors = vectors

    def embed_text(self, text, **kwargs):
        return self.vectors[text]

    async def aembed_text(self, text, **kwargs):
        return self.vectors[text]


def verdicts(least, most):
    share = rng.random()
    return [int(rng.random() < share) for _ in range(rng.randint(least, most))]


def statements(of, field="statements"):
    return {field: [f"s{index}" for index in range(len(of))]}


def judged(of, field="statements", verdict="verdict"):
    return {field: [{"statement": f"s{i}", "reason": "r", verdict: v} for i, v in enumerate(of)]}


def vector(least=-1.0):
    return [round(rng.uniform(least, 1.0), 6) for _ in range(4)]


def score(metric, **row):
    return asyncio.run(metric.ascore(**row)).value


TEXTS = {"user_input": "question", "retrieved_contexts": ["context"]}


def faithfulness():
    case = verdicts(1, 15)
    metric = ragas.Faithfulness(llm=Model(statements(case), judged(case)))
    return {"verdicts": case, "score": score(metric, response="answer", **TEXTS)}


def context_recall():
    case = verdicts(1, 15)
    metric = ragas.ContextRecall(llm=Model(judged(case, "classifications", "attributed")))
    return {"verdicts": case, "score": score(metric, reference="reference", **TEXTS)}


def context_precision():
    case = verdicts(1, 15)
    by_reference = rng.random() < 0.5
    model = Model(*({"reason": "r", "verdict": verdict} for verdict in case))
    row = {"user_input": "question", "retrieved_contexts": ["context"] * len(case)}
    if by_reference:
        value = score(ragas.ContextPrecisionWithReference(llm=model), reference="reference", **row)
    else:
        value = score(ragas.ContextPrecisionWithoutReference(llm=model), response="answer", **row)
    return {"verdicts": case, "usefulFor": "reference" if by_reference else "outputs", "score": value}


def context_entity_recall():
    names = ["Ada", "ada", "Paris", "the Seine", "1815", "Zoë", "Zoe"]
    reference = rng.choices(names, k=rng.randint(1, 8))
    found = rng.choices(names, k=rng.randint(0, 8))
    metric = ragas.ContextEntityRecall(llm=Model({"entities": reference}, {"entities": found}))
    value = score(metric, reference="reference", retrieved_contexts=["context"])
    return {"reference": reference, "found": found, "score": value}


def answer_relevancy():
    vectors = {"question": vector(), **{f"q{index}": vector() for index in range(3)}}
    flags = [int(rng.random() < 0.6) for _ in range(3)]
    model = Model(*({"question": f"q{index}", "noncommittal": flag} for index, flag in enumerate(flags)))
    metric = ragas.AnswerRelevancy(llm=model, embeddings=Vectors(vectors))
    value = score(metric, user_input="question", response="answer")
    return {"vectors": vectors, "noncommittal": flags, "score": value}


def factual_correctness():
    answer, reference = verdicts(1, 12), verdicts(1, 12)
    mode = rng.choice(["precision", "recall", "f1", "f1", "f1"])
    if mode != "precision" and rng.random() < 0.7 and sum(answer) + 1 <= 12:
        # As many claims on both sides, for which the two definitions of recall agree.
        reference = [1] * sum(answer) + [0] * rng.randint(int(sum(answer) == 0), 5)
        rng.shuffle(reference)
    beta = rng.choice([0.5, 1.0, 2.0])
    model = Model(statements(answer, "claims"), judged(answer), statements(reference, "claims"), judged(reference))
    metric = ragas.FactualCorrectness(llm=model, mode=mode, beta=beta)
    value = score(metric, response="answer", reference="reference")
    return {"answer": answer, "reference": reference, "mode": mode, "beta": beta, "score": value}


def answer_correctness():
    supported, wrong, missed = rng.randint(0, 8), rng.randint(0, 8), rng.randint(0, 8)
    if supported + wrong == 0:
        wrong = 1
    if supported + missed == 0:
        missed = 1
    vectors = {"answer": vector(0.0), "reference": vector(0.0)}
    weights = rng.choice([[0.75, 0.25], [1.0, 1.0], [0.5, 2.0]])
    beta = rng.choice([0.5, 1.0, 2.0])
    listed = lambda count: [{"statement": "s", "reason": "r"}] * count  # noqa: E731
    classes = {"TP": listed(supported), "FP": listed(wrong), "FN": listed(missed)}
    model = Model({"statements": ["s"]}, {"statements": ["s"]}, classes)
    metric = ragas.AnswerCorrectness(llm=model, embeddings=Vectors(vectors), weights=weights, beta=beta)
    value = score(metric, user_input="question", response="answer", reference="reference")
    counts = {"supported": supported, "wrong": wrong, "missed": missed}
    return {**counts, "vectors": vectors, "weights": weights, "beta": beta, "score": value}


def noise_sensitivity():
    answer, reference, contexts = rng.randint(1, 8), rng.randint(1, 6), rng.randint(1, 5)
    row = lambda count: [int(rng.random() < 0.3) for _ in range(count)]  # noqa: E731
    of_reference = [row(reference) for _ in range(contexts)]
    of_answer = [row(answer) for _ in range(contexts)]
    right = [int(rng.random() < 0.5) for _ in range(answer)]
    mode = rng.choice(["relevant", "irrelevant"])
    pairs = [judged(part) for pair in zip(of_reference, of_answer) for part in pair]
    model = Model(statements(of_reference[0]), statements(right), *pairs, judged(right))
    metric = ragas.NoiseSensitivity(llm=model, mode=mode)
    texts = [f"context {index}" for index in range(contexts)]
    value = score(metric, user_input="question", response="answer", reference="reference", retrieved_contexts=texts)
    return {"ofReference": of_reference, "ofAnswer": of_answer, "right": right, "mode": mode, "score": value}


METRICS = [
    faithfulness,
    context_precision,
    context_recall,
    context_entity_recall,
    answer_relevancy,
    factual_correctness,
    answer_correctness,
    noise_sensitivity,
]

cases = {metric.__name__: [metric() for _ in range(CASES)] for metric in METRICS}
text = json.dumps(cases, ensure_ascii=False, separators=(",", ":"))
file = Path(__file__).with_name("cases.json.gz")
file.write_bytes(gzip.compress(text.encode(), mtime=0))
print(f"{sum(map(len, cases.values()))} cases")
