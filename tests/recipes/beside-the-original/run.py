"""Runs Microsoft's Eval Recipes on `conversations.jsonl` with a scripted model, and writes `results.jsonl`.

    git clone https://github.com/microsoft/eval-recipes ORIGINAL
    git -C ORIGINAL checkout 59a2726e8d710e61f361ccbf56e83a9478ebec41
    python3.11 -m venv VENV && VENV/bin/pip install -r requirements.txt
    PYTHONPATH=ORIGINAL VENV/bin/python run.py

The results are scores, applicability, the number of calls and names out of our own conversations; no text of the original
is written. The sentences of a text are those of its script, so that no data of NLTK's is needed: how the original splits
is not what is compared here. The scripts are those of `../gold-set-scripts.ts`.
"""

import asyncio
from contextlib import asynccontextmanager
from hashlib import sha256
import json
from pathlib import Path
import re
from types import SimpleNamespace

from eval_recipes import evaluate as original
from eval_recipes.evaluations.check_criteria import check_criteria_evaluator as check_criteria
from eval_recipes.evaluations.claim_verification import claim_extraction
from eval_recipes.evaluations.claim_verification import claim_verification_evaluator as claim_verification
from eval_recipes.evaluations.guidance import guidance_evaluator as guidance
from eval_recipes.evaluations.preference_adherence import preference_adherence_evaluator as preference_adherence
from eval_recipes.evaluations.tool_usage import tool_usage_evaluator as tool_usage
from eval_recipes.schemas import BaseEvaluatorConfig
from loguru import logger

FOLDER = Path(__file__).parent
REASONING = "This is why."
CONFIGS = {
    "check_criteria": check_criteria.CheckCriteriaEvaluatorConfig,
    "claim_verification": claim_verification.ClaimVerificationEvaluatorConfig,
    "guidance": guidance.GuidanceEvaluatorConfig,
    "preference_adherence": BaseEvaluatorConfig,
    "tool_usage": tool_usage.ToolUsageEvaluatorConfig,
}
# Around the names of what could be better.
TAGS = {
    "check_criteria": "criterion",
    "claim_verification": "sentence",
    "preference_adherence": "preference",
    "tool_usage": "tool",
}
ASKING = [check_criteria, claim_extraction, claim_verification, guidance, preference_adherence, tool_usage]


class Model:
    """Answers by the kind of the question, and by which text of the script the question holds."""

    def __init__(self, evaluation: dict) -> None:
        # Without a script, no answer can be read.
        self.script = evaluation.get("script")
        self.calls = 0
        self.responses = self

    async def create(self, **_asked: object) -> SimpleNamespace:
        self.calls += 1
        return SimpleNamespace(output_text=self.script["manifest"])

    async def parse(self, *, input: list, text_format: type, **_asked: object) -> SimpleNamespace:
        self.calls += 1
        if self.script is None:
            return SimpleNamespace(output_parsed=None)
        fields = getattr(self, text_format.__name__)(input[-1]["content"])
        return SimpleNamespace(output_parsed=text_format.model_validate({**blank(text_format), **fields}))

    def CriteriaEvaluation(self, prompt: str) -> dict:
        return {"probability": self.script[asked(self.script, prompt)]}

    def ExtractedUserPreferences(self, _prompt: str) -> dict:
        found = [{"start_line": 1, "end_line": 1, "preference": wish} for wish, *_ in self.script]
        return {"preferences": found}

    def AdherenceToPreferences(self, prompt: str) -> dict:
        answers = {wish: answer for wish, *answer in self.script}
        wish = asked(answers, prompt)
        probability, determination = answers[wish]
        return {"preference": wish, "adherence_probability": probability, "determination": determination}

    def IsInScopeReasoning(self, _prompt: str) -> dict:
        return {"is_in_scope_probability": self.script["in_scope"]}

    def GuidanceEvalResult(self, _prompt: str) -> dict:
        return {"score": self.script["handling"]}

    def ToolEvaluation(self, _prompt: str) -> dict:
        ratings = self.script.items()
        return {
            "tool_evaluations": [
                {"tool_name": name, "reasoning": REASONING, "probability": probability} for name, probability in ratings
            ]
        }

    def SelectionResult(self, prompt: str) -> dict:
        has_claims = bool(self.script[asked(self.script, prompt)])
        return {
            "final_submission": f"{'Contains' if has_claims else 'Does NOT contain'} a specific and verifiable proposition",
            "sentence_with_verifiable_info": "remains unchanged" if has_claims else "None",
        }

    def DisambiguationResult(self, prompt: str) -> dict:
        return {"changes_needed": False, "decontextualized_sentences": [asked(self.script, prompt)]}

    def DecompositionResult(self, prompt: str) -> dict:
        claims = [claim for claim, *_ in self.script[asked(self.script, prompt)]]
        return {
            "specific_verifiable_decontextualized_propositions": claims,
            "specific_verifiable_decontextualized_propositions_with_clarifications": claims,
        }

    def ClaimVerificationResult(self, prompt: str) -> dict:
        answers = {claim: answer for claims in self.script.values() for claim, *answer in claims}
        verified, open_domain = answers[asked(answers, prompt)]
        return {
            "citations": [],
            "verified_probability": verified,
            "open_domain_probability": open_domain,
            "is_open_domain": open_domain >= 50,
        }


def blank(answer: type) -> dict:
    """Texts for all fields that the script says nothing of."""
    return {name: REASONING for name, field in answer.model_fields.items() if field.annotation is str}


def asked(answers: dict, prompt: str) -> str:
    """Which of the texts is asked about: what is asked comes behind what is shown for it."""
    found = {text: prompt.rfind(text) for text in answers}
    return max(found, key=lambda text: (found[text], len(text)))


def configured(name: str, config: dict) -> BaseEvaluatorConfig:
    snake = {re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", option): value for option, value in config.items()}
    return CONFIGS[name](**snake)


async def evaluated(conversation: dict, name: str, evaluation: dict) -> dict:
    model = Model(evaluation)

    @asynccontextmanager
    async def create_client(**_options: object):
        yield model

    for module in ASKING:
        module.create_client = create_client
    claim_verification.nltk = SimpleNamespace(
        data=SimpleNamespace(find=lambda _name: None), sent_tokenize=lambda _text: list(model.script or ["A sentence."])
    )
    [output] = await original.evaluate(
        conversation["messages"],
        conversation["tools"],
        [name],
        {name: configured(name, evaluation.get("config", {}))},
    )
    result = {"applicable": output.applicable, "score": round(output.score, 9), "calls": model.calls}
    if output.feedback is not None:
        # In an order of their own: that of claims depends on which is verified first.
        result["feedback"] = sorted(re.findall(f"<{TAGS.get(name)}>(.*?)</", output.feedback))
    counts = {count: value for count, value in output.metadata.items() if isinstance(value, int)}
    return {**result, **({"counts": counts} if counts else {})}


async def main() -> None:
    logger.remove()
    lines = (FOLDER / "conversations.jsonl").read_text().splitlines()
    with (FOLDER / "results.jsonl").open("w") as results:
        for line in lines:
            conversation = json.loads(line)
            evaluations = conversation["evaluations"].items()
            found = {name: await evaluated(conversation, name, evaluation) for name, evaluation in evaluations}
            # Tells the test that the results are those of the conversation as it is.
            digest = sha256(line.encode()).hexdigest()[:16]
            result = {"name": conversation["name"], "sha256": digest, "original": found}
            results.write(json.dumps(result, ensure_ascii=False) + "\n")


asyncio.run(main())
