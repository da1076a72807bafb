import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ControlPlane } from "@gatehouse/testing";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { AuditReceiver } from "./audit-receiver.js";
import { startTestServer } from "./start-test-server.js";

/** The audit policy of a test server, and the flags that name the outputs. */
export interface AuditedServerOptions {
  /** Members of the policy. */
  readonly policy: { readonly rules: readonly object[]; readonly [member: string]: unknown };
  /** Flags of the server. Where one begins with `--audit-webhook-`, events go to the receiver. `folder` is for files. */
  readonly flags: (folder: string) => readonly string[];
}

/** A server that records events, where everybody may do everything; disposal stops it and removes its files. */
export interface AuditedServer extends AsyncDisposable {
  readonly server: ControlPlane;
  /** Requests as the administrator. */
  readonly client: ApiClient;
  readonly receiver: AuditReceiver;
  readonly folder: string;
  /** File of the policy. */
  readonly policyFile: string;
}

/** Starts a server with a policy, and a receiver of its events. */
export async function startAuditedServer({ policy, flags }: AuditedServerOptions): Promise<AuditedServer> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-audited-"));
  const receiver = await AuditReceiver.start();
  const policyFile = join(folder, "policy.json");
  const kubeconfig = join(folder, "receiver.kubeconfig");
  await writeFile(policyFile, JSON.stringify({ kind: "Policy", apiVersion: "audit.k8s.io/v1", ...policy }));
  await writeFile(kubeconfig, receiver.kubeconfig);
  const given = flags(folder);
  const usesWebhook = given.some((flag) => flag.startsWith("--audit-webhook-"));
  const removeAll = async (): Promise<void> => {
    await receiver[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  };
  const server = await startTestServer({
    flags: [
      "--authorization-mode=AlwaysAllow",
      `--audit-policy-file=${policyFile}`,
      ...(usesWebhook ? [`--audit-webhook-config-file=${kubeconfig}`] : []),
      ...given,
    ],
  }).catch(async (error: unknown) => {
    await removeAll();
    throw error;
  });
  const client = createApiClient(server.clientConfig);
  return {
    server,
    client,
    receiver,
    folder,
    policyFile,
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await server.stop();
      await removeAll();
    },
  };
}
