import { after } from "node:test";
import { type ApiClient, createApiClient } from "./api-client.js";
import { type LaunchedServer, launchServer } from "./launch-server.js";

export interface TestServer {
  readonly client: ApiClient;
  readonly process: LaunchedServer;
}

/** The servers of this test process, by their flags: started when first asked for, stopped after the last test. */
const servers = new Map<string, Promise<TestServer>>();

/** The client of the server with these flags; without flags, that of the one most tests share. */
export async function serverWith(...flags: string[]): Promise<ApiClient> {
  return (await testServerWith(...flags)).client;
}

export function testServerWith(...flags: string[]): Promise<TestServer> {
  const key = flags.join(" ");
  let server = servers.get(key);
  if (server === undefined) {
    server = start(flags);
    servers.set(key, server);
  }
  return server;
}

async function start(flags: readonly string[]): Promise<TestServer> {
  const process = await launchServer(flags);
  return { process, client: createApiClient(process.port, process.token) };
}

after(async () => {
  for (const server of await Promise.allSettled(servers.values())) {
    if (server.status === "fulfilled") {
      server.value.client[Symbol.dispose]();
      await server.value.process.stop();
    }
  }
});
