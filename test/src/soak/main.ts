#!/usr/bin/env node
import { randomInt } from "node:crypto";
import { formatHelp, parseFlags } from "@gatehouse/component-base/flags";
import { formatProblems } from "@gatehouse/component-base/problems";
import { soakFlags } from "./flags.js";
import { runPart } from "./run-part.js";
import { type SoakPart, soakParts } from "./soak-parts.js";

/** Runs every part, also after one has failed. Exits with 1 if one has. */
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
  const { "parts-at-once": atOnce, ...flags } = parsed.values;
  const waiting = [...soakParts(flags, randomInt(2 ** 31))];
  const runTheRest = async (): Promise<void> => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      if (!(await report(part, atOnce === 1))) {
        process.exitCode = 1;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runTheRest));
}

/** Runs a part. Prints its report as it comes if nothing runs beside it, otherwise when it is whole. */
async function report(part: SoakPart, isAlone: boolean): Promise<boolean> {
  process.stdout.write(`soak: ${part.name}\n`);
  const startedAt = performance.now();
  const lines: string[] = [];
  const passed = await runPart(part, process.env, (line) => {
    if (isAlone) {
      process.stdout.write(`${line}\n`);
    } else {
      lines.push(`${line}\n`);
    }
  });
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  process.stdout.write(`${lines.join("")}soak: ${part.name}: ${passed ? "passed" : "FAILED"} after ${seconds} s\n`);
  return passed;
}

await main(process.argv.slice(2));
