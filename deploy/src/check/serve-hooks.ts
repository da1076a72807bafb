import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Hook } from "@gatehouse/webhooks";
import type { webhookConfigurations } from "@gatehouse/webhooks/registration";
import type { ServerAccess } from "./server-access.js";

/** Hooks that are served to the API server of a check. */
export interface ServedHooks extends AsyncDisposable {
  /** The objects that make the API server ask them. */
  readonly configurations: ReturnType<typeof webhookConfigurations>;
}

/** Time in milliseconds between two looks at the certificate, which does not change. */
const neverMs = 24 * 60 * 60 * 1000;
const readinessPollMs = 5;

/**
 * Serves hooks on a free port of 127.0.0.1. Their path is a secret, so nobody but the API server can ask them. `writeLog` takes
 * the errors that hooks throw.
 */
export async function serveHooks(
  hooks: readonly Hook[],
  access: ServerAccess,
  writeLog: (line: string) => void,
): Promise<ServedHooks> {
  const [{ admissionEndpoints, anyCaller, createLogger, openLookup, startWebhookServer }, registration] =
    await Promise.all([import("@gatehouse/webhooks/server"), import("@gatehouse/webhooks/registration")]);
  const lookup = await openLookup({ hooks, kubeconfigFile: await writeKubeconfig(access) });
  const mountedAt = `/${randomBytes(16).toString("hex")}`;
  const server = await startWebhookServer({
    endpoints: admissionEndpoints(hooks, lookup).map((endpoint) => ({
      ...endpoint,
      path: `${mountedAt}${endpoint.path}`,
    })),
    tls: { certFile: access.certFile, keyFile: access.keyFile },
    tlsPollIntervalMs: neverMs,
    callers: anyCaller,
    logger: createLogger({ name: "hooks", level: "error", format: "text", write: writeLog }),
    host: "127.0.0.1",
    port: 0,
  });
  while (!lookup.isReady) {
    await pause(readinessPollMs);
  }
  return {
    configurations: registration.webhookConfigurations({
      hooks,
      name: "gatehouse-check",
      location: { url: `https://127.0.0.1:${server.port}` },
      caBundlePem: access.authorityPem,
      mountedAt,
    }),
    async [Symbol.asyncDispose]() {
      lookup.close();
      await server.stop();
    },
  };
}

/** Writes the kubeconfig by which hooks read objects of the API server. */
async function writeKubeconfig({ folder, url, token, authorityPem }: ServerAccess): Promise<string> {
  const name = "gatehouse-check";
  const cluster = {
    server: url.origin,
    "certificate-authority-data": Buffer.from(authorityPem).toString("base64"),
  };
  const path = join(folder, "kubeconfig");
  // JSON is YAML, too.
  const content = JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    "current-context": name,
  });
  await writeFile(path, content, { mode: 0o600 });
  return path;
}
