/** The site in Chromium; every test ends without a problem. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { serve } from "../../xtask/www.mjs";
import { openChromium } from "../runtimes/harness.js";
import { folder } from "./build.js";

export class Site {
  url = "";
  page!: Page;
  context!: BrowserContext;
  /** The errors of pages, and their requests for missing files; tests may expect some. */
  problems: string[] = [];
  elsewhere: string[] = [];
  /** The context has options that the next page must not have. */
  #isSpecial = false;
  #browser!: Browser;
  #server!: Awaited<ReturnType<typeof serve>>;

  constructor() {
    beforeAll(async () => {
      this.#server = await serve({ folder });
      this.url = this.#server.url;
      this.#browser = await openChromium();
    });
    afterAll(async () => {
      await this.#browser?.close();
      await this.#server?.close();
    });
    afterEach(async ({ task }) => {
      if (task.result?.state === "fail") await this.context?.close();
      const { problems, elsewhere } = this;
      this.problems = [];
      this.elsewhere = [];
      expect(problems).toEqual([]);
      expect(elsewhere).toEqual([]);
    });
  }

  /**
   * Opens a bench: by its link, in the page that is open, where that says all of what it shows; in a new page
   * otherwise, or with separate options.
   */
  async open(bench = "", state: Record<string, string> = {}, options?: BrowserContextOptions): Promise<Page> {
    const link = this.link(bench, state);
    // A page gets no event for the link that it has already, and would still show what was changed since.
    const isNew = !this.context || !Object.keys(state).length || this.page.url() === link;
    if (options || isNew) await this.#renew(options);
    await this.page.goto(link);
    // In a page that is open already, the event with the new link comes before this.
    await this.page.evaluate("new Promise((next) => setTimeout(next))");
    return this.page;
  }

  /** Opens an address of the site in a new page. */
  async visit(address: string, options?: BrowserContextOptions): Promise<Page> {
    await this.#renew(options);
    await this.page.goto(`${this.url}${address}`);
    return this.page;
  }

  /**
   * Makes the page as a new window shows it: nothing is stored, and nothing is cached. A new window starts a process of Chromium,
   * which takes longer than most tests, so there is one only for options that an open page cannot take over.
   */
  async #renew({ viewport, colorScheme, permissions, ...others }: BrowserContextOptions = {}): Promise<void> {
    const isNew = Object.keys(others).length > 0;
    if (isNew || this.#isSpecial || (this.page?.isClosed() ?? true)) {
      await this.context?.close();
      this.context = await this.#browser.newContext(others);
      this.page = await this.newPage();
    } else {
      for (const page of this.context.pages()) if (page !== this.page) await page.close();
      await this.page.goto("about:blank");
      const session = await this.context.newCDPSession(this.page);
      await session.send("Storage.clearDataForOrigin", { origin: this.url, storageTypes: "all" });
      await session.send("Network.clearBrowserCache");
      await session.detach();
    }
    this.#isSpecial = isNew;
    await this.context.clearPermissions();
    await this.context.grantPermissions(permissions ?? []);
    await this.page.setViewportSize(viewport ?? { width: 1280, height: 720 });
    await this.page.emulateMedia({ colorScheme: colorScheme ?? null });
  }

  link(bench: string, state: Record<string, string> = {}): string {
    const query = Object.keys(state).length ? `?${new URLSearchParams(state)}` : "";
    return `${this.url}playground.html#${bench}${query}`;
  }

  async newPage(): Promise<Page> {
    const page = await this.context.newPage();
    page.on("pageerror", (error) => this.problems.push(error.message));
    page.on("console", (message) => this.problems.push(`${message.type()}: ${message.text()}`));
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(this.url) && !/^(data|blob|about):/.test(url)) this.elsewhere.push(url);
    });
    return page;
  }
}
