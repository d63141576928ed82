/** Measures a case: its sides answer, and then take turns. */
import { freshSide, startSide } from "./sides.mjs";

const CASE_MS = 3_000; // for all rounds of a case
const MAX_MS = 15_000; // a case that takes as long has even fewer rounds
const [FEWEST, MOST] = [9, 101];
const FRESH = 15; // a process for each round is slow, and is the subject of such a case
const [SHORTEST_MS, LONG_MS] = [10, 100]; // a round of a side, if a call does not take longer

/** The times of each side in each round, by the side's name. */
export async function race(one) {
  const sides = {};
  try {
    for (const side of Object.keys(one.sides)) {
      sides[side] = await (one.isFresh ? freshSide : startSide)(one, side);
    }
    compareAnswers(sides);
    return await takeTurns(sides, one.isFresh);
  } finally {
    await Promise.all(Object.values(sides).map(({ end }) => end()));
  }
}

function compareAnswers({ ours, reference }) {
  if (!reference || reference.answer === ours.answer) return;
  throw new Error(`the answers differ: ${shortened(ours.answer)} / ${shortened(reference.answer)}`);
}

/** Round by round, so that whatever slows the machine down slows all sides. */
async function takeTurns(sides, isFresh) {
  const calls = await callsOfRounds(sides);
  const rounds = Object.fromEntries(Object.keys(sides).map((side) => [side, []]));
  const start = performance.now();
  for (let round = 0; round < (isFresh ? FRESH : MOST); round++) {
    const elapsed = performance.now() - start;
    const isLong = elapsed > MAX_MS || (elapsed > CASE_MS && round >= FEWEST);
    if (isLong && !isFresh) break;
    for (const [side, { round }] of Object.entries(sides)) rounds[side].push(await round(calls[side]));
  }
  return rounds;
}

/** How many calls of each side make up a round, so that a fast one is looked at for about as long as a slow one. */
async function callsOfRounds(sides) {
  const perCall = {};
  for (const [side, { warmUp }] of Object.entries(sides)) perCall[side] = await warmUp();
  const roundMs = Math.min(LONG_MS, Math.max(SHORTEST_MS, ...Object.values(perCall)));
  const calls = (ms) => Math.max(1, Math.round(roundMs / ms));
  return Object.fromEntries(Object.entries(perCall).map(([side, ms]) => [side, calls(ms)]));
}

const shortened = (text) => (`${text}`.length > 200 ? `${text.slice(0, 200)} …` : text);
