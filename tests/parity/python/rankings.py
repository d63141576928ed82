"""Rankings with the relevance of documents, at random: graded and binary, with ties, and with documents that nobody judged."""

import random

ALPHABETS = [
    [f"d{number}" for number in range(60)],
    [str(number) for number in range(60)],
    # Their order by bytes is another one than that by code units of UTF-16.
    [*"äöüßéñ猫犬鳥魚かなカナﾊﾟ～「」日本語القطة", "😀", "👍🏽", "👩‍👩‍👧", "🇩🇪", "𝒳", "\uffee", "\ue000", "e\u0301", "é", "naïve", "a b", "A", "a", "Z", "_"],
]


def score_of(kind: str, rng: random.Random) -> float:
    if kind == "ties":
        return float(rng.randrange(4))
    if kind == "close":
        # Some differ by less than numbers of 32 bits do.
        return 1.0 + rng.randrange(4) * 1e-3 + rng.randrange(4) * 1e-9
    if kind == "negative":
        return -rng.randrange(1000) / 8
    return rng.randrange(1000) / 64


def rows() -> list[tuple[list, dict[str, int]]]:
    """Documents with their scores, and the relevance of documents; at least one is relevant."""
    rng = random.Random(16)
    found = []
    while len(found) < 3600:
        documents = list(dict.fromkeys(rng.choice(ALPHABETS)))
        rng.shuffle(documents)
        retrieved = documents[: rng.choice([0, 1, 1, 2, 3, 5, 8, 10, 12, 20, 30])]
        pool = documents if rng.random() < 0.5 else documents[: max(1, len(retrieved) * 2)]
        judged = rng.sample(pool, min(len(pool), rng.choice([1, 1, 2, 3, 5, 8, 13, 21, 40])))
        grades = rng.choice([[1], [0, 1], [0, 0, 0, 1], [0, 1, 2, 3], [-1, 0, 1, 2], [0, 1, 2, 5, 10], [-2, -1, 0, 0, 1]])
        relevance = {document: rng.choice(grades) for document in judged}
        if max(relevance.values()) < 1:
            relevance[rng.choice(judged)] = 1
        kind = rng.choice(["plain", "plain", "ties", "close", "negative"])
        found.append(([[document, score_of(kind, rng)] for document in retrieved], relevance))
    return found
