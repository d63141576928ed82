/** One Chromium for all files of all projects, since starting it takes longer than most of their tests. */
import { type BrowserServer, chromium } from "playwright-core";
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

/** Each project loads this module for itself. Chromium is closed after the tests of all of them. */
const ofAllProjects = globalThis as { chromiumOfTests?: Promise<BrowserServer> };

export default async function setUp({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const executablePath = findChromium();
  if (!executablePath) {
    provide("chromium", "");
    return undefined;
  }
  ofAllProjects.chromiumOfTests ??= chromium.launchServer({ executablePath, args: ARGUMENTS });
  const server = await ofAllProjects.chromiumOfTests;
  provide("chromium", server.wsEndpoint());
  return () => server.close();
}
