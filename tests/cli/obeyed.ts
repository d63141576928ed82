import { expect } from "vitest";

/** The lines that a runner would obey: all but those between `::stop-commands::token` and `::token::`. */
export function obeyed(stdout: string): string[] {
  const found: string[] = [];
  let token: string | undefined;
  for (const line of stdout.split("\n")) {
    const own = line.trimStart();
    if (token !== undefined) {
      if (own === `::${token}::`) token = undefined;
    } else if (own.startsWith("::stop-commands::")) token = own.slice("::stop-commands::".length);
    else if (own.startsWith("::") || own.includes("##[")) found.push(own);
  }
  expect(token).toBe(undefined);
  return found;
}
