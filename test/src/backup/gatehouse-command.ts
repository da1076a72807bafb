import { spawn } from "node:child_process";
import { once } from "node:events";
import { gatehouseScript } from "../support/programs.js";
import type { CommandResult } from "../support/running-command.js";

/** Runs `gatehouse` with arguments, to its end or until `signal` kills it. */
export async function gatehouse(args: readonly string[], signal?: AbortSignal): Promise<CommandResult> {
  const child = spawn(process.execPath, [gatehouseScript, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  signal?.addEventListener("abort", () => child.kill("SIGKILL"));
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const [code] = await once(child, "close");
  return { code: code as number | null, stdout, stderr };
}
