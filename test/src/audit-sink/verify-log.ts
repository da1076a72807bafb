import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

const auditScript = fileURLToPath(new URL("main.js", import.meta.resolve("@gatehouse/audit-sink")));

/** Returns the exit code and the output of `gatehouse-audit verify` for a log. */
export function verifyLog(directory: string): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
  return new Promise((resolve) => {
    const args = [auditScript, "verify", `--log-directory=${directory}`];
    execFile(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = typeof error?.code === "number" ? error.code : error === null ? 0 : 1;
      resolve({ code, lines: (stdout + stderr).trimEnd().split("\n") });
    });
  });
}
