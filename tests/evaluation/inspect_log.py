"""Reads logs of formatInspectLog() with Inspect's own types, as its viewer gets them.

    pip install inspect_ai==0.3.285
    npx openevals-wasm score rows.jsonl --evaluator exact_match --format inspect --output logs
    python inspect_log.py logs/*.json

Prints what Inspect finds, and fails if it refuses the log, or would leave out a field of it. Not part of the suite.
"""

import copy
import json
import sys

from inspect_ai.log import EvalLog, read_eval_log


def lost(written, read, place=""):
    """The places that the log has, and that Inspect does not keep."""
    if isinstance(written, dict) and isinstance(read, dict):
        for name, value in written.items():
            if name not in read:
                yield f"{place}.{name}"
            else:
                yield from lost(value, read[name], f"{place}.{name}")
    elif isinstance(written, list) and isinstance(read, list) and len(written) == len(read):
        for index, value in enumerate(written):
            yield from lost(value, read[index], f"{place}[{index}]")
    elif written != read and not str(read).startswith(str(written)[:19]):  # times get another form
        yield f"{place}: {written!r} became {read!r}"


for file in sys.argv[1:]:
    with open(file, encoding="utf-8") as opened:
        written = json.load(opened)
    log = read_eval_log(file)
    missing = list(lost(written, EvalLog.model_validate(copy.deepcopy(written)).model_dump(mode="json")))
    samples = log.samples or []
    metrics = {score.name: {name: metric.value for name, metric in score.metrics.items()} for score in log.results.scores}
    print(f"{file}: {log.status}, {len(samples)} samples, metrics {json.dumps(metrics)}")
    for sample in samples:
        scores = {name: score.value for name, score in (sample.scores or {}).items()}
        print(f"  {sample.id} epoch {sample.epoch}: {sample.output.completion!r} {json.dumps(scores)}")
    if missing:
        sys.exit(f"Inspect does not keep: {', '.join(missing)}")
