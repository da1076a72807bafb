import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { historyRequests, recordAndCheck } from "../linearizability/record-and-check.js";
import { type Answer, createApiClient } from "../spec/support/api-client.js";
import { findEtcd, startEtcdCluster } from "../support/etcd-process.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

const found = await findEtcd();
/** The time in seconds that the quorum is away after the server has noticed; `npm run soak` takes a minute. */
const seconds = Number(process.env["QUORUM_SECONDS"] ?? 0);
const configMaps = "/api/v1/namespaces/default/configmaps";

test(`a server whose etcd loses its quorum gives no wrong answer in ${historyRequests} requests, does not end, and goes on afterwards`, {
  skip: "skip" in found ? found.skip : false,
}, async (context) => {
  const cluster = await startEtcdCluster({ path: "path" in found ? found.path : "" }, 3);
  await using _ = {
    [Symbol.asyncDispose]: async () => {
      await Promise.all(cluster.map((member) => member[Symbol.asyncDispose]()));
    },
  };
  await using server = await startTestServer({
    flags: [
      `--etcd-servers=${cluster.map(({ url }) => url).join()}`,
      "--controllers=*,-bootstrap-roles,-root-ca-certificate-publisher-controller",
    ],
  });
  using patient = createApiClient(server.clientConfig);
  using client = createApiClient(server.clientConfig, { timeoutMs: 5000 });

  const loseQuorum = async (): Promise<void> => {
    const stopped = cluster.slice(1);
    await Promise.all(stopped.map((member) => member.signal("SIGSTOP")));
    try {
      await until("the server is not ready", async () => (await patient.get("/readyz")).status === 500);
      const answers = await Promise.all([
        patient.get(configMaps),
        patient.post(configMaps, { metadata: { name: "nowhere" } }),
      ]);
      answers.forEach(assertNoQuorum);
      assert.equal((await patient.get(`${configMaps}?resourceVersion=0`)).status, 200, "the cache goes on");
      assert.equal((await patient.get("/livez?exclude=etcd")).text, "ok");
      await sleep(seconds * 1000);
    } finally {
      await Promise.all(stopped.map((member) => member.signal("SIGCONT")));
    }
    await until("the server is ready", async () => (await patient.get("/readyz")).status === 200);
    await until("writes work", async () => {
      const { status } = await patient.post(configMaps, { metadata: { name: "afterwards" } });
      return status === 201 || status === 409;
    });
  };

  await recordAndCheck(context, {
    connections: [client, client],
    watching: [patient],
    faults: [{ name: "the quorum is lost", run: loseQuorum }],
  });
});

/** Asserts that the time ran out, or that the member that is left told that it has no leader, as soon as it noticed. */
function assertNoQuorum({ status, document }: Answer): void {
  if (status === 500) {
    assert.match(String(document["message"]), /^etcdserver: (no leader|leader changed|request timed out)/);
  } else {
    assert.deepEqual([status, document["reason"]], [504, "Timeout"]);
  }
}
