import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { readClusterProxy } from "./egress-configuration.js";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-egress-"));
});
after(() => rm(folder, { recursive: true }));

async function read(selections: string, apiVersion = "apiserver.k8s.io/v1beta1"): ReturnType<typeof readClusterProxy> {
  const file = join(folder, "egress.yaml");
  await writeFile(
    file,
    `apiVersion: ${apiVersion}\nkind: EgressSelectorConfiguration\negressSelections: ${selections}\n`,
  );
  return await readClusterProxy(file);
}

const tcp = (content: string): string => `{proxyProtocol: HTTPConnect, transport: {tcp: ${content}}}`;

describe("An egress configuration", () => {
  it("sends connections to the cluster through a proxy of http, of https or at a socket", async () => {
    assert.deepEqual(await read(`[{name: cluster, connection: ${tcp('{url: "http://p:1"}')}}]`), {
      url: new URL("http://p:1"),
      files: undefined,
    });
    assert.deepEqual(
      await read(
        `[{name: cluster, connection: ${tcp('{url: "https://p:1", tlsConfig: {caBundle: ca, clientCert: c, clientKey: /k}}')}}]`,
      ),
      {
        url: new URL("https://p:1"),
        files: { authorityFile: join(folder, "ca"), certFile: join(folder, "c"), keyFile: "/k" },
      },
    );
    const uds = "{proxyProtocol: HTTPConnect, transport: {uds: {udsName: /run/p.sock}}}";
    assert.deepEqual(await read(`[{name: Cluster, connection: ${uds}}]`), { socketPath: "/run/p.sock" });
  });

  it("sends connections through a konnectivity server at a socket", async () => {
    const connection = "{proxyProtocol: GRPC, transport: {uds: {udsName: k.sock}}}";
    assert.deepEqual(await read(`[{name: cluster, connection: ${connection}}]`), {
      tunnelSocketPath: join(folder, "k.sock"),
    });
  });

  it("may leave connections direct", async () => {
    assert.equal(await read("[{name: cluster, connection: {proxyProtocol: Direct}}]"), undefined);
    assert.equal(await read("[{name: etcd, connection: {proxyProtocol: Direct}}]"), undefined);
  });

  for (const apiVersion of ["apiserver.k8s.io/v1alpha1", "apiserver.config.k8s.io/v1beta1", "null"]) {
    it(`is read as v1beta1 although its version is ${apiVersion}`, async () => {
      const connection = tcp('{url: "http://p:1"}');
      const expected = { url: new URL("http://p:1"), files: undefined };
      assert.deepEqual(await read(`[{name: cluster, connection: ${connection}}]`, apiVersion), expected);
    });
  }

  for (const [selections, problem] of [
    [
      '[{name: cluster, connection: {proxyProtocol: GRPC, transport: {tcp: {url: "http://p"}}}}]',
      "egressSelections[0].connection.transport.uds: must be set with GRPC",
    ],
    [
      "[{name: cluster, connection: {proxyProtocol: http}}]",
      "egressSelections[0].connection.proxyProtocol: must be Direct, HTTPConnect or GRPC",
    ],
    [
      "[{name: cluster, connection: {proxyProtocol: Direct, transport: {}}}]",
      "egressSelections[0].connection.transport: must be absent for Direct",
    ],
    [
      "[{name: cluster, connection: {proxyProtocol: HTTPConnect}}]",
      "egressSelections[0].connection.transport: must have either tcp or uds",
    ],
    [
      `[{name: cluster, connection: ${tcp('{url: "ftp://p"}')}}]`,
      "egressSelections[0].connection.transport.tcp.url: must be a URL of http or https",
    ],
    [
      `[{name: cluster, connection: ${tcp('{url: "https://p"}')}}]`,
      "egressSelections[0].connection.transport.tcp.tlsConfig: must have clientCert and clientKey for a URL of https",
    ],
    [
      `[{name: etcd, connection: ${tcp('{url: "http://p"}')}}]`,
      "egressSelections[0].name: only connections of cluster go through a proxy here, not those of etcd",
    ],
    [
      "[{name: moon, connection: {proxyProtocol: Direct}}]",
      "egressSelections[0].name: must be one of cluster, controlplane, etcd",
    ],
    [
      "[{name: etcd, connection: {proxyProtocol: Direct}}, {name: ETCD, connection: {proxyProtocol: Direct}}]",
      'egressSelections[1].name: "etcd" is there more than once',
    ],
  ] as const) {
    it(`is refused because ${problem}`, async () => {
      await assert.rejects(read(selections), (error: Error) => error.message.includes(problem));
    });
  }
});
