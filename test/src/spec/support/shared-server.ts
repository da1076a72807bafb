import { after } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { startTestServer } from "../../support/start-test-server.js";
import { type ApiClient, createApiClient } from "./api-client.js";

export interface SpecServer {
  readonly client: ApiClient;
  readonly server: ControlPlane;
}

/**
 * ConfigMaps and ServiceAccounts of a namespace are only what the test puts there: exact lists and streams are compared.
 */
const quietControllers = "--controllers=*,-root-ca-certificate-publisher-controller,-serviceaccount-controller";
/** Pods do without the account that nobody makes. */
const withoutAccounts = "--disable-admission-plugins=ServiceAccount";

/** The servers of this test process, by their flags: started when first asked for, stopped after the last test. */
const servers = new Map<string, Promise<SpecServer>>();

/** The client of the server with these flags; without flags, that of the one most tests share. */
export async function serverWith(...flags: string[]): Promise<ApiClient> {
  return (await specServerWith(...flags)).client;
}

export function specServerWith(...flags: string[]): Promise<SpecServer> {
  const key = flags.join(" ");
  let server = servers.get(key);
  if (server === undefined) {
    server = start(flags);
    servers.set(key, server);
  }
  return server;
}

async function start(flags: readonly string[]): Promise<SpecServer> {
  const server = await startTestServer({ flags: [quietControllers, withoutAccounts, ...flags] });
  return { server, client: createApiClient(server.clientConfig) };
}

after(async () => {
  for (const started of await Promise.allSettled(servers.values())) {
    if (started.status === "fulfilled") {
      started.value.client[Symbol.dispose]();
      await started.value.server.stop();
    }
  }
});
