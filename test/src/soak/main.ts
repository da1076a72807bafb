#!/usr/bin/env node
import { randomInt } from "node:crypto";
import { formatHelp, parseFlags } from "@gatehouse/component-base/flags";
import { formatProblems } from "@gatehouse/component-base/problems";
import { soakFlags } from "./flags.js";
import { runPart } from "./run-part.js";
import { soakParts } from "./soak-parts.js";

/** Runs every part, one after the other, also after one has failed. Exits with 1 if one has. */
async function main(argv: readonly string[]): Promise<void> {
  const parsed = parseFlags(soakFlags, argv);
  if (parsed.outcome === "invalid") {
    process.stderr.write(`soak: ${formatProblems(parsed.problems)}\n`);
    process.exitCode = 1;
    return;
  }
  if (parsed.outcome !== "run") {
    const summary = "Runs the fuzz and crash tests for as long as is asked for.";
    process.stdout.write(formatHelp(soakFlags, { command: "npm run soak --", summary }));
    return;
  }
  for (const part of soakParts(parsed.values, randomInt(2 ** 31))) {
    process.stdout.write(`soak: ${part.name}\n`);
    const startedAt = performance.now();
    const passed = await runPart(part, process.env, (line) => process.stdout.write(`${line}\n`));
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    process.stdout.write(`soak: ${part.name}: ${passed ? "passed" : "FAILED"} after ${seconds} s\n`);
    if (!passed) {
      process.exitCode = 1;
    }
  }
}

await main(process.argv.slice(2));
