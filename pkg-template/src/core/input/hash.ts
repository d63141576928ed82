/** Hashes of texts: fast and the same everywhere, but not cryptographic. */

/** FNV-1a of the code units of a text, continued from the hash of the text before it. */
export function fnv1a(text: string, before = 0x811c9dc5): number {
  let hash = before;
  for (let index = 0; index < text.length; index++) hash = withCode(hash, text.charCodeAt(index));
  return hash;
}

/** FNV-1a as eight hexadecimal digits. */
export const hexHash = (text: string): string => (fnv1a(text) >>> 0).toString(16).padStart(8, "0");

/** FNV-1a with one more code. */
export const withCode = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);
