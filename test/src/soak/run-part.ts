import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { SoakPart } from "./soak-parts.js";

/** The totals of node's report are for `npm test`: a reader of CI's output must not take those of a part for them. */
const totalsLine = /^(#|ℹ) (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

/**
 * Runs a part in a process of its own, passes its report on line by line, and resolves to whether it passed.
 * Nothing stops it but its own limits: how long it takes is for the counts to say.
 */
export async function runPart(part: SoakPart, env: NodeJS.ProcessEnv, print: (line: string) => void): Promise<boolean> {
  const child = spawn(process.execPath, ["--enable-source-maps", "--test", "--test-reporter=spec", part.file], {
    env: { ...env, ...part.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const output of [child.stdout, child.stderr]) {
    createInterface({ input: output }).on("line", (line) => {
      if (!totalsLine.test(line)) {
        print(line);
      }
    });
  }
  const [code] = await once(child, "close");
  return code === 0;
}
