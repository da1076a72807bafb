import assert from "node:assert/strict";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { serverId } from "@gatehouse/apiserver/server";
import { type ControlPlane, startControlPlane } from "@gatehouse/testing";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { EtcdProcess, findEtcd } from "../support/etcd-process.js";
import { noPeer, type PeerServer, startPeerServer } from "../support/peer-server.js";
import { serverProgram } from "../support/server-program.js";
import { showLogOnFailure } from "../support/show-log-on-failure.js";
import { until } from "../support/until.js";
import { makeFrontProxy } from "./front-proxy.js";
import { onHost } from "./host-name.js";

const found = await findEtcd();
const path = "path" in found ? found.path : "";
const skip = noPeer ?? ("skip" in found ? found.skip : false);

const gates = "--feature-gates=StorageVersionAPI=true,UnknownVersionInteroperabilityProxy=true";
const api = "--runtime-config=internal.apiserver.k8s.io/v1alpha1=true";
/** A resource that kube-apiserver alone serves, and one that Gatehouse alone serves. */
const classes = "/apis/storage.k8s.io/v1alpha1/volumeattributesclasses";
const bundles = "/apis/certificates.k8s.io/v1alpha1/clustertrustbundles";
const versions = "/apis/internal.apiserver.k8s.io/v1alpha1/storageversions";

const gold = {
  apiVersion: "storage.k8s.io/v1alpha1",
  kind: "VolumeAttributesClass",
  metadata: { name: "gold" },
  driverName: "d",
  parameters: { a: "b" },
};

describe("A server and kube-apiserver v1.29 on one etcd", { skip }, () => {
  let etcd: EtcdProcess;
  let folder: string;
  let gatehouse: ControlPlane;
  let other: PeerServer;
  let here: ApiClient;
  let there: ApiClient;

  before(async () => {
    etcd = await EtcdProcess.start({ path });
    folder = await mkdtemp(join(tmpdir(), "gatehouse-peers-"));
    const proxy = await makeFrontProxy(folder);
    // Each server has an authority of its own; that of the other one is known when it has started.
    const peerCaFile = join(folder, "peer-ca.crt");
    await copyFile(proxy.caFile, peerCaFile);
    const shared = [...proxy.flags, `--etcd-servers=${etcd.url}`, "--service-cluster-ip-range=10.0.0.0/24"];
    gatehouse = await startControlPlane({
      mode: "process",
      program: { ...serverProgram, nodeOptions: [...(serverProgram.nodeOptions ?? []), onHost("gatehouse-host")] },
      authorization: ["AlwaysAllow"],
      temporaryDirectory: tmpdir(),
      flags: [
        ...shared,
        "--advertise-address=127.0.0.1",
        `--peer-ca-file=${peerCaFile}`,
        `${gates},ClusterTrustBundle=true`,
        `${api},certificates.k8s.io/v1alpha1=true`,
      ],
    });
    showLogOnFailure(() => gatehouse.logs.text());
    other = await startPeerServer([
      ...shared,
      `--peer-ca-file=${gatehouse.certificates.caFile}`,
      `${gates},VolumeAttributesClass=true`,
      `${api},storage.k8s.io/v1alpha1=true`,
    ]);
    await copyFile(other.certificates.caFile, peerCaFile);
    here = createApiClient(gatehouse.clientConfig);
    const admin = await other.certificates.clientCertificate("kubernetes-admin", ["system:masters"]);
    there = createApiClient({ ...other.anonymousConfig, clientCertificate: admin });
  });

  after(async () => {
    here?.[Symbol.dispose]();
    there?.[Symbol.dispose]();
    await other?.[Symbol.asyncDispose]();
    await gatehouse?.stop();
    await etcd?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  it("say in the same StorageVersions what they store, and agree", async () => {
    const list = (await here.get(versions)).document.items as unknown as readonly {
      readonly metadata: { readonly name: string };
      readonly status: {
        readonly commonEncodingVersion?: string;
        readonly storageVersions: readonly {
          readonly apiServerID: string;
          readonly decodableVersions: readonly string[];
        }[];
      };
    }[];
    const own = serverId("gatehouse-host");
    const shared = list.filter(({ status }) => status.storageVersions.length === 2);
    assert.equal(shared.length, 48);
    for (const { metadata, status } of shared) {
      const [first, second] = [...status.storageVersions].sort(({ apiServerID }) => (apiServerID === own ? -1 : 1));
      assert.equal(first?.apiServerID, own);
      assert.notEqual(status.commonEncodingVersion, undefined, metadata.name);
      assert.deepEqual(first?.decodableVersions, second?.decodableVersions, metadata.name);
    }
  });

  it("pass on to kube-apiserver what it alone serves", async () => {
    await until("the authority of kube-apiserver is known", async () => (await here.get(classes)).status === 200);
    const created = await here.post(classes, gold);
    assert.equal(created.status, 201, created.text);
    assert.equal((await there.get(`${classes}/gold`)).status, 200);
    const watch = await here.get(`${classes}?watch=1&timeoutSeconds=1`);
    assert.match(watch.text, /^\{"type":"ADDED"/);
    assert.equal((await here.get(classes, { "x-kubernetes-peer-proxied": "true" })).status, 404);
  });

  it("pass on to Gatehouse what it alone serves", async () => {
    const list = await until("kube-apiserver passes requests on", async () => {
      const answer = await there.get(bundles);
      return answer.status === 200 ? answer : undefined;
    });
    assert.equal((list.document as { kind?: string }).kind, "ClusterTrustBundleList");
    const invalid = await there.post(bundles, {
      apiVersion: "certificates.k8s.io/v1alpha1",
      kind: "ClusterTrustBundle",
      metadata: { name: "a" },
      spec: { trustBundle: "" },
    });
    assert.equal(invalid.status, 422, invalid.text);
    assert.equal((await there.get(bundles, { "x-kubernetes-peer-proxied": "true" })).status, 404);
  });

  it("forget each other with the identity lease, which Gatehouse collects after", async () => {
    const { items = [] } = (await here.get("/apis/coordination.k8s.io/v1/namespaces/kube-system/leases")).document;
    const name = items
      .map(({ metadata }) => metadata.name)
      .find((id) => id?.startsWith("apiserver-") === true && id !== serverId("gatehouse-host"));
    await other[Symbol.asyncDispose]();
    await here.delete(`/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/${name}`);
    await until("its entries are collected", async () => !(await here.get(versions)).text.includes(String(name)));
    assert.equal((await here.get(classes)).status, 404);
  });
});
