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
    afterEach(() => {
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

  async #renew(options?: BrowserContextOptions): Promise<void> {
    await this.context?.close();
    this.context = await this.#browser.newContext(options);
    this.page = await this.newPage();
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
