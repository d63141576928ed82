/** Which rows are scored. */

/** A share of all rows, or whoever decides. */
export type Sample<Row> = number | ((row: Row) => boolean);

/** The same id is always in the sample, or never: wherever it is asked for, and in every larger sample. */
export function isSampled(share: number, id: string | undefined): boolean {
  if (share >= 1) return true;
  return (id === undefined ? Math.random() : fractionOf(id)) < share;
}

/** A number from 0 to below 1 that follows from the text: FNV-1a, mixed as MurmurHash3 ends. */
function fractionOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
