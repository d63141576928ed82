/**
 * What turns text into UTF-8 and back. Every runtime has both as globals, but environments of tests that play a browser
 * (jsdom in Jest) hide those of Node.
 */

type Coding = Pick<typeof globalThis, "TextEncoder" | "TextDecoder">;

const { process } = globalThis as { process?: { getBuiltinModule?(id: "node:util"): Coding | undefined } };
const isHidden = !globalThis.TextEncoder || !globalThis.TextDecoder;

export const { TextEncoder, TextDecoder }: Coding =
  (isHidden && process?.getBuiltinModule?.("node:util")) || globalThis;
