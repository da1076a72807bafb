import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { serverId } from "@gatehouse/apiserver/server";
import { openEtcdStore } from "@gatehouse/apiserver/storage/etcd";
import { textAt } from "@gatehouse/envelopes/json";
import { type ControlPlane, startControlPlane } from "@gatehouse/testing";
import { createApiClient } from "../spec/support/api-client.js";
import { EtcdProcess, findEtcd } from "../support/etcd-process.js";
import { serverProgram } from "../support/server-program.js";
import { showLogOnFailure } from "../support/show-log-on-failure.js";
import { makeFrontProxy } from "./front-proxy.js";
import { onHost } from "./host-name.js";
import { askAboutPeers, askedFlags, type PeerFact, peerFlags } from "./peer-session.js";

const found = await findEtcd();
const path = "path" in found ? found.path : "";
const recorded: readonly PeerFact[] = JSON.parse(
  readFileSync(new URL("../../src/peers/recorded-peers.json", import.meta.url), "utf8"),
);

async function startOnHost(
  host: string,
  authorization: "AlwaysAllow" | "RBAC",
  flags: readonly string[],
): Promise<ControlPlane> {
  const server = await startControlPlane({
    mode: "process",
    program: { ...serverProgram, nodeOptions: [...(serverProgram.nodeOptions ?? []), onHost(host)] },
    authorization: [authorization],
    temporaryDirectory: tmpdir(),
    users: authorization === "AlwaysAllow" ? [{ name: "jane", groups: ["developers"] }] : [],
    flags: ["--advertise-address=127.0.0.1", ...flags],
  });
  showLogOnFailure(() => server.logs.text());
  return server;
}

for (const workers of [1, 2]) {
  const title = `A server of ${workers === 1 ? "one process" : "two workers"} passes on what only another one serves, as v1.29 does`;
  describe(title, { skip: "skip" in found ? found.skip : false }, () => {
    let etcd: EtcdProcess;
    let folder: string;
    let asked: ControlPlane;
    let peer: ControlPlane;
    let facts: ReadonlyMap<string, unknown>;
    let address = "";
    let lease = "";

    before(async () => {
      etcd = await EtcdProcess.start({ path });
      folder = await mkdtemp(join(tmpdir(), "gatehouse-peers-"));
      const proxy = await makeFrontProxy(folder);
      const common = [`--etcd-servers=${etcd.url}`, "--service-cluster-ip-range=10.9.0.0/24"];
      peer = await startOnHost("peer-host", "RBAC", [...common, ...peerFlags, ...proxy.flags]);
      asked = await startOnHost("asked-host", "AlwaysAllow", [
        ...common,
        ...askedFlags,
        `--workers=${workers}`,
        `--peer-ca-file=${peer.certificates.caFile}`,
        ...proxy.flags,
      ]);
      using admin = createApiClient(asked.clientConfig);
      using jane = createApiClient(asked.user("jane").clientConfig);
      const killPeer = async (): Promise<void> => {
        const path = `/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/${serverId("peer-host")}`;
        lease = textAt(
          (await admin.get(path)).document as never,
          "metadata",
          "annotations",
          "kubernetes.io/peer-advertise-address",
        );
        await using store = await openEtcdStore({ transport: { servers: [etcd.url] } });
        const { kv } = await store.get(`/registry/peerserverleases/${serverId("peer-host")}`);
        address = kv?.value.toString("latin1") ?? "";
        await peer.kill("SIGKILL");
      };
      facts = new Map((await askAboutPeers({ admin, jane, killPeer })).map(({ name, value }) => [name, value]));
    });

    after(async () => {
      await asked?.stop();
      await peer?.stop();
      await etcd?.[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    });

    for (const { name, value } of recorded) {
      it(name, () => {
        assert.deepEqual(facts.get(name), value);
      });
    }

    it("finds the address of the other one where kube-apiserver keeps it, in protobuf, and in its identity lease", () => {
      assert.equal(lease, `127.0.0.1:${peer.port}`);
      assert.ok(address.startsWith("k8s\0"));
      assert.ok(address.includes(`apiserverIdentity\x12$${serverId("peer-host")}`), address);
    });

    it("tells where it is itself no longer when it stops", async () => {
      await asked.kill("SIGTERM");
      await using store = await openEtcdStore({ transport: { servers: [etcd.url] } });
      assert.deepEqual((await store.range({ prefix: "/registry/peerserverleases/" })).kvs, []);
    });
  });
}
