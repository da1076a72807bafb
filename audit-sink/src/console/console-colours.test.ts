import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { consoleAccents } from "../config/audit-sink-config.js";

const style = readFileSync(new URL("../../console/static/tokens.css", import.meta.url), "utf8");
const colours = new Map(
  [...style.matchAll(/^ {2}--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);$/gm)].map(
    ([, name = "", light = "", dark = ""]) => [name, { light, dark }],
  ),
);

/** WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG 2.2, contrast ratio. */
function contrast(a: string, b: string): number {
  const [less = 0, more = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (more + 0.05) / (less + 0.05);
}

const surfaces = ["page", "panel", "input", "hover", "selected"];
const verbs = Array.from({ length: 8 }, (_, n) => `verb-${n}`);

/** Colours in front of others, and the least contrast that level AA asks for. */
const pairs: readonly (readonly [what: string, fronts: readonly string[], backs: readonly string[], least: number])[] =
  [
    ["text", ["text", "muted", "accent", "ok", "warn", "bad", "other"], surfaces, 4.5],
    ["changed text", ["text"], ["added", "removed"], 4.5],
    ["text of a pressed button", ["on-accent"], ["accent"], 4.5],
    ["the edge of a control", ["control", "accent"], ["page", "panel", "input"], 3],
    ["a part of the chart", [...verbs, "ok", "warn-area", "bad", "other"], ["panel"], 3],
  ];

for (const [what, fronts, backs, least] of pairs) {
  test(`${what} has a contrast of ${least} to 1 at least, in light and dark`, () => {
    for (const theme of ["light", "dark"] as const) {
      for (const front of fronts) {
        for (const back of backs) {
          const ratio = contrast(colours.get(front)?.[theme] ?? "", colours.get(back)?.[theme] ?? "");
          assert.ok(ratio >= least, `${front} on ${back} in ${theme}: ${ratio.toFixed(2)}`);
        }
      }
    }
  });
}

const accents = [
  ...style.matchAll(/data-accent="(\w+)"\] \{\n {2}--accent: light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g),
];

test("every accent that a configuration can choose is in the style sheet, with the contrasts of the default", () => {
  assert.deepEqual(["teal", ...accents.map(([, name]) => name)], [...consoleAccents]);
  for (const [, name = "", light = "", dark = ""] of accents) {
    for (const [theme, accent] of Object.entries({ light, dark }) as ["light" | "dark", string][]) {
      for (const surface of [...surfaces, "on-accent"]) {
        const ratio = contrast(accent, colours.get(surface)?.[theme] ?? "");
        assert.ok(ratio >= 4.5, `${name} on ${surface} in ${theme}: ${ratio.toFixed(2)}`);
      }
    }
  }
});
