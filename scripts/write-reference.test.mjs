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

test("the reference of the toolkit declares each export of its own, with its comment", () => {
  const page = toolkitReference(root);
  const index = readFileSync(join(root, "webhooks/src/toolkit/index.ts"), "utf8");
  const own = [...index.matchAll(/^export (?:type )?\{([^}]*)\} from "\.[^"]+";/gm)];
  const names = own.flatMap(([, list]) => list.split(",").map((name) => name.trim().replace(/^type /, "")));
  for (const name of names.filter((name) => name !== "")) {
    assert.match(page, new RegExp(`^### ${name}\n\n\\S[^]*?\n\`\`\`ts\n(?:[a-z]+ )+${name}\\b`, "m"), name);
  }
});
