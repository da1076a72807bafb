import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { until } from "../support/until.js";
import type { ApiClient } from "./support/api-client.js";
import { assertCode, assertStatus } from "./support/assert-status.js";
import {
  changeConfigMap,
  configMapsPath,
  createConfigMap,
  deleteConfigMap,
  freshNamespace,
  namesOf,
  versionOf,
} from "./support/fixtures.js";
import { serverWith } from "./support/shared-server.js";

const server = (): Promise<ApiClient> => serverWith("--etcd-compaction-interval=2s");

/** Number of changes; more than the server keeps in memory, so that only the store's history could have them. */
const changeCount = 240;
const changeBytes = 100_000;

describe("Retained history", { concurrency: 16 }, () => {
  it("Errors, 410 Gone: an expired continue token, with a token to go on without consistency", async () => {
    const client = await server();
    const namespace = await freshNamespace(client);
    for (const name of ["a", "b", "c", "d"]) {
      await createConfigMap(client, namespace, name);
    }
    const first = (await client.get(configMapsPath(namespace, "", "limit=2"))).document;
    await deleteConfigMap(client, namespace, "c");
    await createConfigMap(client, namespace, "e");
    const next = configMapsPath(namespace, "", `limit=2&continue=${first.metadata.continue}`);
    const expired = await until("the token has expired", async () => {
      const answer = await client.get(next);
      return answer.status === 200 ? undefined : answer;
    });
    const { continue: token } = expired.document.metadata;
    assert.equal(expired.status, 410);
    assert.deepEqual(expired.document, {
      kind: "Status",
      apiVersion: "v1",
      metadata: { continue: token },
      status: "Failure",
      message:
        "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.",
      reason: "Expired",
      code: 410,
    });

    const rest = await client.get(configMapsPath(namespace, "", `limit=2&continue=${token}`));
    assertCode(rest, 200);
    assert.deepEqual(namesOf(rest.document), ["d", "e"]);
    assert.ok(Number(versionOf(rest.document)) > Number(versionOf(first)));
  });

  it("Errors, 410 Gone: a list at an exact version that is no longer available", async () => {
    const client = await server();
    const namespace = await freshNamespace(client);
    const created = await createConfigMap(client, namespace, "a");
    await changeConfigMap(client, namespace, "a", { k: "v" });
    for (const query of ["resourceVersionMatch=Exact", "resourceVersionMatch=Exact&limit=1", "limit=1"]) {
      const path = configMapsPath(namespace, "", `resourceVersion=${versionOf(created)}&${query}`);
      const gone = await until("the version is gone", async () => {
        const answer = await client.get(path);
        return answer.status === 200 ? undefined : answer;
      });
      assertStatus(gone, {
        code: 410,
        reason: "Expired",
        message: "The resourceVersion for the provided list is too old.",
      });
    }
  });

  it("Errors, 1 and 410 Gone: a watch from a version that is no longer retained gets an ERROR event, and a new list goes on", async () => {
    const client = await server();
    const namespace = await freshNamespace(client);
    const start = versionOf(await createConfigMap(client, namespace, "a"));
    let written = 0;
    const writer = async (name: string): Promise<void> => {
      await createConfigMap(client, namespace, name);
      for (; written < changeCount; written++) {
        await changeConfigMap(client, namespace, name, { k: String(written).repeat(changeBytes / 3) });
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, index) => writer(`w${index}`)));
    const path = configMapsPath(namespace, "", `watch=1&resourceVersion=${start}&timeoutSeconds=1`);
    const [event, ...others] = await until("the version is gone", async () => {
      using open = await client.watch(path);
      assert.equal(open.status, 200, "errors of a watch come inside the stream");
      const events = await open.rest();
      return events[0]?.type === "ERROR" ? events : undefined;
    });
    const oldest = /\((\d+)\)$/.exec(String(event?.object.message))?.[1];
    assert.deepEqual(event, {
      type: "ERROR",
      object: {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message: `too old resource version: ${start} (${oldest})`,
        reason: "Expired",
        code: 410,
      },
    });
    assert.deepEqual(others, [], "the stream ends with the error");
    const list = (await client.get(configMapsPath(namespace))).document;
    using again = await client.watch(configMapsPath(namespace, "", `watch=1&resourceVersion=${versionOf(list)}`));
    await changeConfigMap(client, namespace, "a", { k: "again" });
    assert.equal((await again.next()).object.metadata.name, "a", "Errors, rule 1: relist and watch from there");
  });

  it("Limits, Retained change history (default store): a watch from an older version gets 410", async () => {
    const client = await server();
    const namespace = await freshNamespace(client);
    const version = versionOf(await createConfigMap(client, namespace, "a"));
    const past = configMapsPath(namespace, "", `resourceVersion=${version}&resourceVersionMatch=Exact`);
    assert.deepEqual(namesOf((await client.get(past)).document), ["a"], "kept for a while");
    await createConfigMap(client, namespace, "b");
    const gone = await until("it is kept no longer", async () => {
      const answer = await client.get(past);
      return answer.status === 200 ? undefined : answer;
    });
    assertStatus(gone, {
      code: 410,
      reason: "Expired",
      message: "The resourceVersion for the provided list is too old.",
    });
  });

  it("Limits, Continue token lifetime: as long as history is kept", async () => {
    const client = await server();
    const namespace = await freshNamespace(client);
    for (const name of ["a", "b"]) {
      await createConfigMap(client, namespace, name);
    }
    const { metadata } = (await client.get(configMapsPath(namespace, "", "limit=1"))).document;
    const next = configMapsPath(namespace, "", `limit=1&continue=${metadata.continue}`);
    assert.deepEqual(namesOf((await client.get(next)).document), ["b"]);
    await createConfigMap(client, namespace, "c");
    await until("the token has expired", async () => (await client.get(next)).status === 410);
  });

  it("Errors, 2: after an expired token, a list from the beginning or without a limit is whole", async () => {
    const client = await server();
    const namespace = await freshNamespace(client);
    for (const name of ["a", "b"]) {
      await createConfigMap(client, namespace, name);
    }
    const { metadata } = (await client.get(configMapsPath(namespace, "", "limit=1"))).document;
    await createConfigMap(client, namespace, "c");
    const next = configMapsPath(namespace, "", `limit=1&continue=${metadata.continue}`);
    await until("the token has expired", async () => (await client.get(next)).status === 410);
    assert.deepEqual(namesOf((await client.get(configMapsPath(namespace))).document), ["a", "b", "c"]);
    assert.deepEqual(namesOf((await client.get(configMapsPath(namespace, "", "limit=2"))).document), ["a", "b"]);
  });
});
