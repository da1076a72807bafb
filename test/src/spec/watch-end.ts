import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertCode } from "./support/assert-status.js";
import { changeConfigMap, configMapsPath, createConfigMap, freshNamespace, versionOf } from "./support/fixtures.js";
import { serverWith } from "./support/shared-server.js";

describe("The end of a watch", () => {
  it("Watch events, rule 7: watches that end while events come end whole, and cost nobody else anything", async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    let latest = versionOf(await createConfigMap(client, namespace, "a"));
    const path = configMapsPath(namespace, "", `watch=1&timeoutSeconds=1&resourceVersion=${latest}`);
    const watches = await Promise.all(Array.from({ length: 50 }, () => client.watch(path)));
    const ended = Promise.all(watches.map((watch) => watch.rest()));
    let writing = true;
    const write = async (): Promise<void> => {
      while (writing) {
        latest = versionOf(await changeConfigMap(client, namespace, "a", { k: String(Math.random()) }));
      }
    };
    const writers = [write(), write(), write()];
    const streams = await ended;
    writing = false;
    await Promise.all(writers);
    for (const events of streams) {
      const versions = events.map((event) => Number(event.object.metadata.resourceVersion));
      assert.deepEqual(
        versions,
        versions.toSorted((a, b) => a - b),
      );
    }
    assertCode(await client.get(configMapsPath(namespace, "a")), 200);
  });
});
