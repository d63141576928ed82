/** One Chromium for all files of a project, since starting it takes longer than most of its tests. */
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { findChromium } from "../xtask/setup.mjs";

declare module "vitest" {
  export interface ProvidedContext {
    /** The address of Chromium; empty if it is not installed, which fails the tests that need it. */
    chromium: string;
  }
}

const ARGUMENTS = [
  ...["first-run", "sandbox"].map((name) => `--no-${name}`),
  ...["gpu", "quic", "background-networking", "component-update", "sync"].map((name) => `--disable-${name}`),
];

export default async function setUp({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const executablePath = findChromium();
  if (!executablePath) {
    provide("chromium", "");
    return undefined;
  }
  const server = await chromium.launchServer({ executablePath, args: ARGUMENTS });
  provide("chromium", server.wsEndpoint());
  return () => server.close();
}
