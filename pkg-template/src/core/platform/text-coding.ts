/**
 * The encoder and decoder of UTF-8. Every runtime has both as globals, but test environments that simulate a browser
 * (jsdom in Jest) hide those of Node.
 */

type Coding = Pick<typeof globalThis, "TextEncoder" | "TextDecoder">;

const { process } = globalThis as { process?: { getBuiltinModule?(id: "node:util"): Coding | undefined } };
const isHidden = !globalThis.TextEncoder || !globalThis.TextDecoder;

export const { TextEncoder, TextDecoder }: Coding =
  (isHidden && process?.getBuiltinModule?.("node:util")) || globalThis;
