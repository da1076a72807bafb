#!/usr/bin/env node
import { randomInt } from "node:crypto";
import { formatHelp, parseFlags } from "@gatehouse/component-base/flags";
import { formatProblems } from "@gatehouse/component-base/problems";
import { soakFlags } from "./flags.js";
import { runPart } from "./run-part.js";
import { type PartResult, runParts } from "./run-parts.js";
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
  const atOnce = parsed.values["parts-at-once"];
  const tell = (line: string): boolean => process.stdout.write(`${line}\n`);
  const startedAt = new Map<SoakPart, number>();
  // Lines of parts that run side by side would be no text: those of one are printed together when it has ended.
  const run = async (part: SoakPart): Promise<PartResult> => {
    const lines: string[] = [];
    const passed = await runPart(part, process.env, atOnce === 1 ? tell : (line) => lines.push(line));
    return { passed, lines };
  };
  const allPassed = await runParts(soakParts(parsed.values, randomInt(2 ** 31)), atOnce, run, {
    began(part) {
      startedAt.set(part, performance.now());
      tell(`soak: ${part.name}`);
    },
    ended(part, { passed, lines }) {
      const seconds = Math.round((performance.now() - (startedAt.get(part) ?? 0)) / 1000);
      for (const line of [...lines, `soak: ${part.name}: ${passed ? "passed" : "FAILED"} after ${seconds} s`]) {
        tell(line);
      }
    },
  });
  if (!allPassed) {
    process.exitCode = 1;
  }
}

await main(process.argv.slice(2));
