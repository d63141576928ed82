/** Writes commas between thousands. The first call of `toLocaleString()` takes 15 ms in Node, since it loads locales. */
export const grouped = (digits: string): string => digits.replace(/\B(?=(?:\d{3})+(?:\.|$))/g, ",");

/** A whole number, with commas. */
export const whole = (count: number): string => grouped(String(count));

/** A count with its noun: `1 row`, `2 rows`. */
export const counted = (count: number, noun: string): string =>
  `${whole(count)} ${noun}${count === 1 ? "" : "s"}`;

/** A count with its verb: `1 is`, `2 are`. */
export const countedAre = (count: number): string => `${whole(count)} ${count === 1 ? "is" : "are"}`;
