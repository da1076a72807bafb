import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { EtcdProcess, findEtcd } from "../support/etcd-process.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";
import { isRunning, leaderOf, untilServing, workerPids } from "../workers/workers-of-server.js";

const found = await findEtcd();
const workers = 2;
const controllersLease = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/gatehouse-controller-manager";

describe("a server with workers beside another server on one etcd", {
  skip: "skip" in found ? found.skip : false,
}, () => {
  let etcd: EtcdProcess;
  let withWorkers: ControlPlane;
  let other: ControlPlane;
  let client: ApiClient;
  /** Number of the namespaces that were made. */
  let made = 0;

  before(async () => {
    etcd = await EtcdProcess.start({ path: "path" in found ? found.path : "" });
    const flags = [
      `--etcd-servers=${etcd.url}`,
      "--controllers=*,-bootstrap-roles,-root-ca-certificate-publisher-controller",
      ...["--leader-elect-lease-duration=4s", "--leader-elect-renew-deadline=3s", "--leader-elect-retry-period=200ms"],
    ];
    withWorkers = await startTestServer({ flags: [...flags, `--workers=${workers}`] });
    await untilServing(withWorkers, workers);
    const first = createApiClient(withWorkers.clientConfig);
    await until("the server with workers has the lease", async () => holderAs(first, () => true));
    first[Symbol.dispose]();
    other = await startTestServer({ flags });
    client = createApiClient(other.clientConfig);
  });
  after(async () => {
    client?.[Symbol.dispose]();
    await Promise.all([withWorkers?.stop(), other?.stop()]);
    await etcd?.[Symbol.asyncDispose]();
  });

  /** Waits until a controller has done its work for a new namespace. */
  async function untilControllersRun(): Promise<void> {
    const name = `made-${++made}`;
    assert.equal((await client.post("/api/v1/namespaces", { metadata: { name } })).status, 201);
    const account = `/api/v1/namespaces/${name}/serviceaccounts/default`;
    await until(
      "the controllers make the default service account",
      async () => (await client.get(account)).status === 200,
    );
  }

  it("keeps the controllers when the worker that runs them is killed: the next one has the same name", async () => {
    const holder = await holderAs(client, () => true);
    await untilControllersRun();
    const leader = leaderOf(withWorkers);
    const pid = workerPids(withWorkers).get(leader) as number;
    process.kill(pid, "SIGKILL");
    await untilServing(withWorkers, workers, [pid]);
    assert.notEqual(leaderOf(withWorkers), leader);
    await untilControllersRun();
    assert.equal(await holderAs(client, () => true), holder);
  });

  it("leaves the controllers to the other server when all of its processes are killed, and does not take them back", async () => {
    const holder = await holderAs(client, () => true);
    const pids = [...workerPids(withWorkers).values()];
    await withWorkers.kill("SIGKILL");
    await until("no worker is left", () => !pids.some(isRunning));
    const next = await until("the other server has the lease", () => holderAs(client, (name) => name !== holder));
    await untilControllersRun();
    await withWorkers.restart();
    await untilServing(withWorkers, workers, pids);
    await untilControllersRun();
    assert.equal(await holderAs(client, () => true), next);
  });

  it("takes the controllers over when the other server is killed", async () => {
    const holder = await holderAs(client, () => true);
    client[Symbol.dispose]();
    client = createApiClient(withWorkers.clientConfig);
    await other.kill("SIGKILL");
    await until("the server with workers has the lease", () => holderAs(client, (name) => name !== holder));
    await untilControllersRun();
  });
});

/** Returns the holder of the lease of the controllers; undefined when there is none, or not one that is wanted. */
async function holderAs(client: ApiClient, isWanted: (name: string) => boolean): Promise<string | undefined> {
  const { document } = await client.get(controllersLease);
  const holder = (document["spec"] as { readonly holderIdentity?: string } | undefined)?.holderIdentity;
  return holder !== undefined && holder !== "" && isWanted(holder) ? holder : undefined;
}
