import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

/** The policy of audit under which the servers of the cases record every request when it is complete. */
export const auditPolicy = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived", "ResponseStarted"],
  rules: [{ level: "Metadata" }],
};

/** Returns a function that waits for the audit event of a request in a log of events, and returns its annotations. */
export function readAuditLog(file: string): (auditId: string) => Promise<Readonly<Record<string, string>>> {
  return async (auditId) => {
    for (;;) {
      const lines = (await readFile(file, "utf8")).split("\n");
      const line = lines.find((text) => text.includes(`"auditID":"${auditId}"`));
      if (line !== undefined) {
        return (JSON.parse(line) as { annotations?: Record<string, string> }).annotations ?? {};
      }
      await pause(20);
    }
  };
}
