import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { configurationReference } from "./reference/configuration.mjs";
import { toolkitReference } from "./reference/toolkit.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

test("the reference of configuration documents has a row for each member, with its path, type and meaning", () => {
  const lines = configurationReference().split("\n");
  const row = (path) => lines.find((line) => line.startsWith(`| \`${path}\` |`));
  assert.match(row("hooks[].mode"), /\| `Enforce` or `Warn` or `Audit` or `Off` \| \w+/);
  assert.match(row("hooks[].exceptions[].reason"), /\| string, required \| \w+/);
  assert.match(row("rules[].resources[].group"), /\| string \| \w+/);
});

test("the reference of the toolkit declares each export of each entry point, with its comment", () => {
  const page = toolkitReference(root);
  const { exports } = JSON.parse(readFileSync(join(root, "webhooks/package.json"), "utf8"));
  assert.ok(Object.keys(exports).includes("./resources"));
  for (const [path, { types }] of Object.entries(exports)) {
    const [, section = ""] = page.split(`\n## @gatehouse/webhooks${path.slice(1)}\n`);
    const [text] = section.split("\n## ");
    const names = exportsOf(readFileSync(join(root, "webhooks", types), "utf8"));
    assert.ok(names.length > 0, path);
    for (const name of names) {
      const entry = new RegExp(`^### ${name}\n\n\\S[^]*?\n\`\`\`ts\n(?:[a-z]+ )+${name}\\b|^- \`${name}\`: \\S`, "m");
      assert.match(text, entry, `${path}: ${name}`);
    }
  }
});

function exportsOf(text) {
  const passedOn = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from/gm)].flatMap(([, list]) => list.split(","));
  const declared = [...text.matchAll(/^export declare const (\w+)/gm)].map(([, name]) => name);
  return [...passedOn.map((name) => name.trim().replace(/^type /, "")), ...declared].filter((name) => name !== "");
}
