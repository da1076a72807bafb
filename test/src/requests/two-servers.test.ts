import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createApiClient } from "../spec/support/api-client.js";
import { assertCode } from "../spec/support/assert-status.js";
import {
  changeConfigMap,
  configMapsPath,
  createConfigMap,
  freshNamespace,
  versionOf,
} from "../spec/support/fixtures.js";
import { startTestServer } from "../support/start-test-server.js";

describe("Two servers on one data directory", () => {
  it("each reads, lists and watches what the other has acknowledged, at once and in order", async () => {
    await using first = await startTestServer();
    await using second = await startTestServer({ dataDirectory: first.dataDirectory });
    using a = createApiClient(first.clientConfig);
    using b = createApiClient(second.clientConfig);
    const namespace = await freshNamespace(a);
    const created = await createConfigMap(a, namespace, "shared", { data: { writer: "-", count: "0" } });
    const path = configMapsPath(
      namespace,
      "",
      `watch=1&fieldSelector=metadata.name%3Dshared&resourceVersion=${versionOf(created)}`,
    );
    using watch = await b.watch(path);
    const versions: string[] = [];
    for (let count = 1; count <= 100; count++) {
      const [writer, reader] = count % 2 === 0 ? [a, b] : [b, a];
      const changed = await changeConfigMap(writer, namespace, "shared", { count: String(count) });
      versions.push(versionOf(changed));
      const [one, list] = await Promise.all([
        reader.get(configMapsPath(namespace, "shared")),
        reader.get(configMapsPath(namespace, "", "fieldSelector=metadata.name%3Dshared")),
      ]);
      assert.deepEqual(one.document, changed);
      assert.equal(list.document.items[0]?.data?.["count"], String(count));
    }
    const events = await watch.take(100);
    assert.deepEqual(
      events.map((event) => event.object.metadata.resourceVersion),
      versions,
    );
    // Both change one object: nothing is lost, and nobody overwrites what it has not seen.
    const increment = async (client: typeof a): Promise<void> => {
      for (let done = 0; done < 50; ) {
        const current = (await client.get(configMapsPath(namespace, "shared"))).document;
        const data = { count: String(Number(current.data?.["count"]) + 1) };
        const answer = await client.put(configMapsPath(namespace, "shared"), { ...current, data });
        if (answer.status !== 409) {
          assertCode(answer, 200);
          done++;
        }
      }
    };
    await Promise.all([increment(a), increment(b)]);
    assert.equal((await a.get(configMapsPath(namespace, "shared"))).document.data?.["count"], "200");
    assertCode(await a.delete(configMapsPath(namespace, "shared")), 200);
    assertCode(await b.get(configMapsPath(namespace, "shared")), 404);
  });
});
