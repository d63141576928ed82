/** Hashes of texts: fast and the same everywhere, but not cryptographic. */

/** FNV-1a of the code units of a text, continued from the hash of the text before it. */
export function fnv1a(text: string, before = 0x811c9dc5): number {
  let hash = before;
  for (let index = 0; index < text.length; index++) hash = withCode(hash, text.charCodeAt(index));
  return hash;
}

/** FNV-1a with one more code. */
export const withCode = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);

/** The finalizer of MurmurHash3, after which each bit depends on all others. */
export function mixed(bits: number): number {
  let hash = bits ^ (bits >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
