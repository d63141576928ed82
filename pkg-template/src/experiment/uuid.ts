/** How many random bytes are drawn at once: drawing takes far longer than using them. */
const DRAWN = 16 * 64;

const drawn = new Uint8Array(DRAWN);
let used = DRAWN;

const HEX = Array.from("0123456789abcdef", (digit) => digit.charCodeAt(0));
const HYPHEN = 0x2d;
const HYPHENS = [8, 13, 18, 23];

/** A random UUID (version 4). Unlike `crypto.randomUUID`, it is there on pages that came over plain HTTP, too. */
export function uuid(): string {
  // Not before it is needed: Workers have no random numbers while they start.
  if (used === DRAWN) {
    crypto.getRandomValues(drawn);
    used = 0;
  }
  drawn[used + 6] = ((drawn[used + 6] as number) & 0x0f) | 0x40;
  drawn[used + 8] = ((drawn[used + 8] as number) & 0x3f) | 0x80;
  const codes: number[] = [];
  for (const end = used + 16; used < end; used++) {
    if (HYPHENS.includes(codes.length)) codes.push(HYPHEN);
    const byte = drawn[used] as number;
    codes.push(HEX[byte >> 4] as number, HEX[byte & 15] as number);
  }
  return String.fromCharCode(...codes);
}
