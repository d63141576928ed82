/** Personal data and its look-alikes. All of it is made up, or from documentation. */

import { type Check, noPII, type PIIKind } from "openevals-wasm/checks";
import { expect, test } from "vitest";

const FOUND: [PIIKind, string][] = [
  ["email", "Write to jane.doe+news@mail.acme-shop.com."],
  ["email", "<jörg@müller.de>"],
  ["email", "mailto:a@b.co"],
  ["email", "'o.brien'@x.org o'brien@x.org"],
  ["phone", "+49 30 1234567"],
  ["phone", "+1-415-555-0132"],
  ["phone", "+33 1 23 45 67 89"],
  ["phone", "+4915112345678"],
  ["phone", "0049 30 1234567"],
  ["phone", "Call (415) 555-0132 now"],
  ["phone", "415.555.0132"],
  ["phone", "Call (555) 123-4567 now"],
  ["phone", "1-800-555-0199"],
  ["phone", "030 1234567"],
  ["phone", "(030) 123 45 67"],
  ["phone", "0171/1234567"],
  ["phone", "01 23 45 67 89"],
  ["phone", "020 7946 0958"],
  ["phone", "090-1234-5678"],
  ["phone", "138 0013 8000"],
  ["phone", "Telefon: 1234567"],
  ["phone", "phone number is 5550132"],
  ["phone", "我的手机：13800138000"],
  ["card", "4111 1111 1111 1111"],
  ["card", "4111-1111-1111-1111"],
  ["card", "card 5555555555554444."],
  ["card", "3782 822463 10005"],
  ["card", "6011111111111117"],
  ["card", "Order 12345 4111 1111 1111 1111"],
  ["iban", "DE89370400440532013000"],
  ["iban", "IBAN: DE89 3704 0044 0532 0130 00, thanks"],
  ["iban", "de89 3704 0044 0532 0130 00"],
  ["iban", "gb29nwbk60161331926819"],
  ["card", "4111\u00a01111\u00a01111\u00a01111"],
  ["card", "4111\u20111111\u20111111\u20111111"],
  ["iban", "GB29 NWBK 6016 1331 9268 19 and more"],
  ["iban", "NL91ABNA0417164300"],
  ["iban", "NO93 8601 1117 947"],
];

test.each(["\u00a0", "\u202f", "\u2011"])("an IBAN may be grouped by %j", async (gap) => {
  const text = ["DE89", "3704", "0044", "0532", "0130", "00"].join(gap);
  const { metadata } = await noPII()(text);
  expect(metadata?.findings).toEqual([{ kind: "iban", start: 0, end: text.length }]);
});

test.each(
  FOUND.filter(([kind]) => kind === "phone"),
)("%s with the separators of web pages: %j", async (_, plain) => {
  const before = (await noPII()(plain)).metadata;
  for (const space of [" ", "\u00a0", "\u202f"])
    for (const hyphen of ["-", "\u2011", "\u2013"]) {
      const text = plain.replaceAll(" ", space).replaceAll("-", hyphen);
      expect((await noPII()(text)).metadata, JSON.stringify(text)).toEqual(before);
      expect((await noPII({ allow: [plain] })(text)).score).toBe(
        (await noPII({ allow: [plain] })(plain)).score,
      );
    }
});

test("a dash before an e-mail address is not part of it", async () => {
  const { metadata } = await noPII()("Support\u2013jane@acme.com");
  expect(metadata?.findings).toEqual([{ kind: "email", start: 8, end: 21 }]);
});

test.each(FOUND)("%s in %j", async (kind, text) => {
  const { score, metadata, comment } = await noPII()(text);
  expect(score).toBe(false);
  const findings = metadata?.findings as { kind: string; start: number; end: number }[];
  expect(findings.map((finding) => finding.kind)).toContain(kind);
  for (const { start, end } of findings) expect(comment).not.toContain(text.slice(start, end));
  const others = (["email", "phone", "card", "iban"] as const).filter((other) => other !== kind);
  if (!/phone|tel/i.test(text)) expect((await noPII({ kinds: others })(text)).score).toBe(true);
});

test.each([
  "2024-01-02",
  "01.02.2024 10:30",
  "Version 1.2.3.4567",
  "v10.0.19041.1234",
  "192.168.100.200",
  "978-3-16-148410-0",
  "ISBN 0-306-40615-2",
  "ISSN 0317-8471",
  "1,234,567.89 and 1 234 567 890",
  "Order 0123-4567-8901",
  "20240102123456",
  "1700000000",
  "4111 1111 1111 1112",
  "1234 5678 9012 3456",
  "9781234567897",
  "DE89370400440532013001",
  "DE8937040044053201300",
  "XX89370400440532013000",
  "a@b",
  "@media (min-width: 600px)",
  "import x from '@scope/package@1.2.3'",
  "git@github.com:owner/repository.git",
  "logo@2x.png",
  "call 911",
  "It has 12345678 rows.",
  "3.14159265358979",
  "90210-1234 and 01234-5678",
  "GTIN 00012345600012",
  "Zeile 10–20, 30/40",
  "01.02.–03.04.2024",
  "01.–05.02.2024",
  "01/02-03/04/2024",
  "08.00–12.00 13.00–17.00",
  "uuid 123e4567-e89b-12d3-a456-426614174000",
  "#4111111111111111a",
  `${"x".repeat(70)}@${"y".repeat(70)}`,
])("nothing in %j", async (text) => {
  expect(await noPII()(text)).toEqual({ key: "no_pii", score: true });
});

test("a comment gives the position, but not the data", async () => {
  const text = "jane.doe@example.com, 4111 1111 1111 1111, DE89 3704 0044 0532 0130 00, +49 30 1234567";
  expect((await noPII()(text)).comment).toBe(
    "The text has an e-mail address (j•••@•••.com) at character 0, a card number (••••1111) at character 22, " +
      "an IBAN (DE••••00) at character 43 and a phone number (••••67) at character 72.",
  );
});

test("allowed data passes", async () => {
  const check = noPII({ allow: ["@acme.com", "+49 30 1234567"] });
  expect((await check("help@acme.com or +49 (30) 123-4567")).score).toBe(true);
  expect((await check("help@evil-acme.com")).score).toBe(false);
  expect((await check("help@acme.com.evil.org")).score).toBe(false);
});

test("findings are limited to a thousand", async () => {
  const { metadata, comment } = await noPII()("jane@acme.com ".repeat(50_000));
  expect((metadata?.findings as object[]).length).toBe(1_000);
  expect(comment).toMatch(/ and 995 more\.$/);
});

test.each<[string, string[], string, number]>([
  ["a card number that reaches into an address", ["@acme.com"], "Card 4111 1111 1111 1111@acme.com", 1],
  ["one that is all in front of it", ["@acme.com"], "4111111111111111@acme.com", 1],
  ["a phone number", ["@acme.com"], "+49 30 1234567@acme.com", 1],
  ["an address of the domain", ["@acme.com"], "Write to Jane@ACME.com.", 0],
  ["a domain without its hyphen", ["@acme.com"], "jane@ac-me.com", 1],
  [
    "an address by name, with a card number in it",
    ["4111111111111111@acme.com"],
    "4111111111111111@acme.com",
    0,
  ],
  ["a number, in another spelling", ["+86 13800138000"], "+86 138 0013 8000", 0],
  ["a number that is longer", ["+49 30 1234567"], "+49 30 12345678", 1],
  ["a number with the separators of web pages", ["+1-415-555-0132"], "+1\u202f415\u2013555\u20110132", 0],
  ["what stands behind a thousand that are allowed", ["@a.com"], `${"b@a.com, ".repeat(1_001)}c@d.com`, 1],
])("allow: %s", async (_, allow, text, findings) => {
  const check = noPII({ allow }) as Check & { watch(): (piece: string) => string | number | undefined };
  const { score, metadata } = await check(text);
  expect(score).toBe(findings === 0);
  expect(metadata?.findings ?? []).toHaveLength(findings);
  // Wherever it is cut, a text has the verdict of the whole.
  for (const end of text.length > 1_000 ? [] : ["", " ", ", and more"]) {
    const whole = (await check(text + end)).score;
    for (const size of [1, 2, 7, text.length - 1]) {
      const watch = check.watch();
      const pieces = (text + end).match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
      const said = pieces.map((piece) => watch(piece)).filter((seen) => typeof seen === "string");
      if (whole) expect(said).toEqual([]);
    }
  }
});
