import assert from "node:assert/strict";
import { test } from "node:test";
import { createHttpClient, type HttpClient } from "@gatehouse/component-base/http-client";
import type { ControlPlane } from "@gatehouse/testing";
import type { ServerRun } from "@gatehouse/testing/process";
import { spawnServer } from "../support/server-program.js";
import { startTestServer } from "../support/start-test-server.js";
import { generousMs } from "../support/until.js";

const creators = 32;
const servicesEach = 6;
const path = "/api/v1/namespaces/default/services";

interface Service {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly clusterIP?: string; readonly ports: readonly { readonly nodePort?: number }[] };
}

/** Another process that serves what the first one stores. */
async function startBeside(
  server: ControlPlane,
): Promise<{ readonly process: ServerRun; readonly client: HttpClient }> {
  const flags = [
    "--bind-address=127.0.0.1",
    "--secure-port=0",
    `--tls-cert-file=${server.certificates.serverCertFile}`,
    `--tls-private-key-file=${server.certificates.serverKeyFile}`,
    `--client-ca-file=${server.certificates.caFile}`,
    `--data-dir=${server.dataDirectory}`,
    ...server.certificates.serviceAccountFlags,
  ];
  const process = spawnServer(flags, () => {});
  const url = new URL(`https://127.0.0.1:${await process.serving}`);
  return { process, client: createHttpClient({ config: { ...server.clientConfig, server: url } }) };
}

async function send(client: HttpClient, method: string, to: string, body?: unknown): Promise<number> {
  const { status } = await client.request({
    method,
    path: to,
    signal: new AbortController().signal,
    timeoutMs: generousMs,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  return status;
}

async function list(client: HttpClient): Promise<readonly Service[]> {
  const { body } = await client.request({ path, signal: new AbortController().signal, timeoutMs: generousMs });
  return JSON.parse(body.toString()).items;
}

function assertNothingShared(services: readonly Service[]): void {
  const addresses = services.map(({ spec }) => spec.clusterIP);
  const nodePorts = services.flatMap(({ spec }) => spec.ports.map((port) => port.nodePort)).filter(Boolean);
  assert.ok(addresses.every((address) => address !== undefined));
  assert.equal(new Set(addresses).size, services.length);
  assert.equal(new Set(nodePorts).size, nodePorts.length);
}

test("creators on two servers never share an address or port, though services go and a server dies", async () => {
  await using server = await startTestServer();
  const beside = await startBeside(server);
  const create = (client: HttpClient, name: string): Promise<number> =>
    send(client, "POST", path, {
      metadata: { name },
      spec: {
        type: "NodePort",
        ports: [
          { name: "a", port: 80 },
          { name: "b", port: 81 },
        ],
      },
    });
  const work = async (creator: number): Promise<void> => {
    const client = creator % 2 === 0 ? server.client : beside.client;
    for (let count = 0; count < servicesEach; count++) {
      assert.equal(await create(client, `s-${creator}-${count}`), 201);
      if (count % 3 === 2) {
        assert.equal(await send(client, "DELETE", `${path}/s-${creator}-${count - 1}`), 200);
      }
    }
  };
  await Promise.all(Array.from({ length: creators }, (_, creator) => work(creator)));
  const services = await list(server.client);
  assert.equal(services.length, 1 + (creators * servicesEach * 2) / 3);
  assertNothingShared(services);

  const dying = Array.from({ length: creators }, (_, creator) =>
    create(beside.client, `late-${creator}`).catch(() => 0),
  );
  const living = Array.from({ length: creators }, (_, creator) => create(server.client, `alive-${creator}`));
  await Promise.race(living);
  await beside.process.kill("SIGKILL");
  beside.client[Symbol.dispose]();
  await Promise.all(dying);
  assert.ok((await Promise.all(living)).every((status) => status === 201));
  await server.restart();
  assertNothingShared(await list(server.client));
});
