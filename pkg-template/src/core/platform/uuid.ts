/** The number of random bytes that are drawn at once, because each draw is slow. */
const DRAWN = 16 * 64;

const drawn = new Uint8Array(DRAWN);
let used = DRAWN;

/** Each byte in hexadecimal digits. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** A random UUID (version 4). Unlike `crypto.randomUUID`, it also works on pages over plain HTTP. */
export function uuid(): string {
  // Made on first use, because Workers have no random numbers at startup.
  if (used === DRAWN) {
    crypto.getRandomValues(drawn);
    used = 0;
  }
  drawn[used + 6] = ((drawn[used + 6] as number) & 0x0f) | 0x40;
  drawn[used + 8] = ((drawn[used + 8] as number) & 0x3f) | 0x80;
  const pair = () => (HEX[drawn[used++] as number] as string) + HEX[drawn[used++] as number];
  return `${pair()}${pair()}-${pair()}-${pair()}-${pair()}-${pair()}${pair()}${pair()}`;
}
