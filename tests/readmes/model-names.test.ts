/** The models that the documentation names are those that the newest SDKs of their providers list. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const modules = join(import.meta.dirname, "../node_modules");
const read = (path: string) => readFileSync(join(modules, path), "utf8");

const LISTS = {
  openai: read("openai/resources/shared.d.ts") + read("openai/resources/embeddings.d.ts"),
  anthropic: read("@anthropic-ai/sdk/resources/messages/messages.d.ts"),
  "google-genai": read("@google/genai/dist/genai.d.ts"),
};

/** The README, what editors show of the package, and the guide. */
const guide = join(import.meta.dirname, "../../www/guide");
const pages = [
  ...readdirSync(join(modules, "openevals-wasm"), { recursive: true, encoding: "utf8" })
    .filter((name) => /README\.md$|\.d\.ts$/.test(name))
    .map((name) => read(join("openevals-wasm", name))),
  ...readdirSync(guide).map((name) => readFileSync(join(guide, name), "utf8")),
];

const named = new Set(
  pages.flatMap((page) =>
    Array.from(page.matchAll(/"(openai|anthropic|google[-_]genai):([\w.-]+)"/g), ([, provider = "", model]) =>
      [provider.replace("_", "-"), model].join(":"),
    ),
  ),
);

describe("the models in the documentation", () => {
  it("are of every provider with a list", () => {
    expect(new Set(Array.from(named, (name) => name.split(":")[0]))).toEqual(new Set(Object.keys(LISTS)));
  });

  it.each([...named])("%s is listed", (name) => {
    const [provider, model] = name.split(":") as [keyof typeof LISTS, string];
    expect(LISTS[provider]).toMatch(new RegExp(`(?<![\\w.-])${model}(?![\\w-])`));
  });
});
