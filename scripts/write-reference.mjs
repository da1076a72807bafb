// Writes docs/reference from schemas, declarations and help texts, and docs/specification-coverage.md from the names of
// tests; with --check it compares, and fails when a page is not what would be written. Usage, after a build: node scripts/write-reference.mjs [--check]
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { commandLineReference } from "./reference/command-lines.mjs";
import { configurationReference } from "./reference/configuration.mjs";
import { metricsReference } from "./reference/metrics.mjs";
import { specificationCoverage } from "./reference/specification-coverage.mjs";
import { toolkitReference } from "./reference/toolkit.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const generated = "<!-- Written by `node scripts/write-reference.mjs`. -->\n\n";
const pages = {
  "docs/reference/configuration.md": configurationReference(),
  "docs/reference/toolkit.md": toolkitReference(root),
  "docs/reference/command-lines.md": commandLineReference(root),
  "docs/reference/metrics.md": metricsReference(),
  "docs/specification-coverage.md": specificationCoverage(root),
};

const stale = [];
for (const [name, content] of Object.entries(pages)) {
  const path = join(root, name);
  const text = generated + content;
  if (!process.argv.includes("--check")) {
    writeFileSync(path, text);
  } else if (readOrEmpty(path) !== text) {
    stale.push(name);
  }
}
if (stale.length > 0) {
  console.error(`reference: ${stale.join(", ")} must be written again: node scripts/write-reference.mjs`);
  process.exitCode = 1;
} else {
  console.log("reference: ok");
}

function readOrEmpty(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
