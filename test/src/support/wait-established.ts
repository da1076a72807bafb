import type { KubectlShell } from "./kubectl-shell.js";
import { until } from "./until.js";

/**
 * Waits until definitions of custom resources are established, and returns what kubectl says of that. Before a controller
 * has looked at them their conditions are null, and kubectl does not wait for what is null.
 */
export async function waitEstablished(shell: KubectlShell, definitions: string): Promise<string> {
  await until(`${definitions} have conditions`, async () => {
    const conditions = await shell.ok(
      `kubectl get ${definitions} --no-headers -o custom-columns=CONDITIONS:.status.conditions`,
    );
    return !conditions.includes("<none>");
  });
  return await shell.ok(`kubectl wait --for=condition=Established --timeout=60s ${definitions}`);
}
