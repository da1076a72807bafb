import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { EtcdProcess, findEtcd } from "../support/etcd-process.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";
import { createApiClient } from "./support/api-client.js";
import { assertCode } from "./support/assert-status.js";

const found = await findEtcd();
const skip = "skip" in found ? found.skip : false;
const path = "path" in found ? found.path : "";

/** The time in milliseconds after which a check fails, and one that cannot be reached in the test. */
const [shortMs, endlessMs] = [300, 3_600_000];

describe("Checks of an etcd that does not answer", { skip }, () => {
  it("Limits, --etcd-healthcheck-timeout, --etcd-readycheck-timeout: each check fails after its own time, and passes again", async () => {
    await using etcd = await EtcdProcess.start({ path });
    await using server = await startTestServer({
      flags: [
        `--etcd-servers=${etcd.url}`,
        `--etcd-healthcheck-timeout=${shortMs}ms`,
        `--etcd-readycheck-timeout=${endlessMs}ms`,
      ],
    });
    using client = createApiClient(server.clientConfig);
    await until("etcd is there", async () => (await client.get("/readyz/etcd-readiness")).status === 200);
    await etcd.signal("SIGSTOP");
    try {
      await until("the check of health fails", async () => (await client.get("/healthz/etcd")).status === 500);
      const { text } = await client.get("/livez/etcd");
      assert.match(text, /^internal server error: .*deadline exceeded\n$/);
      // That of readiness still waits.
      const waiting = client.get("/readyz/etcd-readiness");
      const first = await Promise.race([waiting, client.get("/healthz/etcd").then(() => "the other one")]);
      assert.equal(first, "the other one");
      await etcd.signal("SIGCONT");
      assertCode(await waiting, 200);
    } finally {
      await etcd.signal("SIGCONT");
    }
    await until("the check of health passes again", async () => (await client.get("/healthz/etcd")).status === 200);
  });
});
