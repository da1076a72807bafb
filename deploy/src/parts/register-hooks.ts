import { existsSync } from "node:fs";
import { createHttpClient } from "@gatehouse/component-base/http-client";
import type { DataDir } from "../data-dir.js";
import { adminClientConfig, type LocalPki } from "../local-pki.js";
import { hooksFileOf } from "./admission-server.js";
import { applyObject, deleteObject } from "./apply-object.js";
import type { StackContext } from "./stack-context.js";
import type { StackPart } from "./stack-part.js";

/** Name of the objects that register the hooks of the stack. */
const name = "gatehouse-admission";

const resourceOfKind: ReadonlyMap<string, string> = new Map([
  ["MutatingWebhookConfiguration", "mutatingwebhookconfigurations"],
  ["ValidatingWebhookConfiguration", "validatingwebhookconfigurations"],
]);

/** An object that tells the API server of hooks. */
interface Registration {
  readonly kind?: string;
}

/**
 * Makes the API server know the hooks at the port that their server has this time, or forget them when it does not run:
 * what is written to wait for a server that is not there would be refused. Rejects with StartError.
 */
export async function registerHooks(
  { dataDir, pki }: StackContext,
  { apiServer, admission }: { readonly apiServer: StackPart; readonly admission: StackPart | undefined },
  signal: AbortSignal,
): Promise<void> {
  if (admission === undefined && !existsSync(hooksFileOf(dataDir))) {
    return; // there has never been an admission server
  }
  const objects = admission === undefined ? [] : await registrationOf(dataDir, pki, admission);
  using client = createHttpClient({ config: adminClientConfig(pki, apiServer.port) });
  const settle = async ([kind, resource]: [string, string]): Promise<void> => {
    const path = `/apis/admissionregistration.k8s.io/v1/${resource}/${name}`;
    const object = objects.find((one) => one.kind === kind);
    await (object === undefined ? deleteObject(client, path, signal) : applyObject(client, path, object, signal));
  };
  await Promise.all([...resourceOfKind].map(settle));
}

async function registrationOf(dataDir: DataDir, pki: LocalPki, { port }: StackPart): Promise<readonly Registration[]> {
  // Only now, when everything else is on its way: nobody waits for it at the start.
  const { loadHooks } = await import("@gatehouse/webhooks/config");
  const { webhookConfigurations } = await import("@gatehouse/webhooks/registration");
  const { hooks } = await loadHooks({ configFile: hooksFileOf(dataDir) });
  return webhookConfigurations({
    hooks,
    name,
    location: { url: `https://127.0.0.1:${port}` },
    caBundlePem: pki.authority.certificatePem,
  });
}
