import { spawn } from "node:child_process";
import { once } from "node:events";
import type { RoundResult } from "../rounds.js";

/** Measures the time of a process of Node that does nothing from start to end, in milliseconds. */
export async function startNode(): Promise<RoundResult> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["-e", "0"], { stdio: "ignore" });
  await once(child, "exit");
  return { value: performance.now() - startedAt };
}
