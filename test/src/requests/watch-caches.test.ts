import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ApiClient } from "../spec/support/api-client.js";
import { assertStatus } from "../spec/support/assert-status.js";
import { configMapsPath, createConfigMap, freshNamespace, namesOf } from "../spec/support/fixtures.js";
import { serverWith } from "../spec/support/shared-server.js";

const anyVersion = "resourceVersion=0&limit=1";
const misread = 'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax';

/** A collection, and the objects that are made in it. */
interface Collection {
  readonly title: string;
  readonly flags: readonly string[];
  readonly path: (namespace: string, name?: string, query?: string) => string;
  readonly create: (client: ApiClient, namespace: string, name: string) => Promise<unknown>;
}

const eventsPath: Collection["path"] = (namespace, name = "", query = "") =>
  configMapsPath(namespace, name, query).replace("configmaps", "events");

const events: Collection = {
  title: "Events",
  flags: [],
  path: eventsPath,
  create: (client, namespace, name) =>
    client.post(eventsPath(namespace), { metadata: { name }, involvedObject: { namespace } }),
};
const configMaps: Omit<Collection, "title" | "flags"> = { path: configMapsPath, create: createConfigMap };

for (const { title, flags, path, create } of [
  events,
  { ...configMaps, title: "ConfigMaps with --watch-cache=false", flags: ["--watch-cache=false"] },
  { ...configMaps, title: "ConfigMaps with a size of 0", flags: ["--watch-cache-sizes=configmaps#0"] },
]) {
  describe(`${title} have no watch cache, so that`, () => {
    it("a list of any version has pages", async () => {
      const { client, namespace } = await filled();
      const { document } = await client.get(path(namespace, "", anyVersion));
      assert.deepEqual(namesOf(document), ["a"]);
      assert.equal((document.metadata as { remainingItemCount?: number }).remainingItemCount, 1);
      const rest = await client.get(path(namespace, "", `limit=1&continue=${document.metadata.continue}`));
      assert.deepEqual(namesOf(rest.document), ["b"]);
    });

    it("a version that is no number is misread by the store", async () => {
      const { client, namespace } = await filled();
      for (const of of [path(namespace, "", "resourceVersion=x"), path(namespace, "a", "resourceVersion=x")]) {
        const answer = await client.get(of);
        assertStatus(answer, { code: 400, reason: "BadRequest", message: `invalid resource version: ${misread}` });
      }
    });

    it("a version that is not there yet is refused at once, whether the object is there or not", async () => {
      const { client, namespace } = await filled();
      for (const [name, query] of [
        ["", "resourceVersion=99999999"],
        ["", "resourceVersion=99999999&resourceVersionMatch=NotOlderThan&limit=1"],
        ["a", "resourceVersion=99999999"],
        ["none", "resourceVersion=99999999"],
      ] as const) {
        const { status, document } = await client.get(path(namespace, name, query));
        assert.equal(status, 504, query);
        const { message, details } = document as unknown as { message: string; details: object };
        assert.match(message, /^Timeout: Too large resource version: 99999999, current: \d+$/);
        assert.deepEqual(details, {
          causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
        });
      }
    });

    it("a list of a version that is there, and objects of any version, are answered as they are now", async () => {
      const { client, namespace } = await filled();
      for (const query of ["resourceVersion=1", "resourceVersion=0", ""]) {
        assert.deepEqual(namesOf((await client.get(path(namespace, "", query))).document), ["a", "b"], query);
        assert.equal((await client.get(path(namespace, "a", query))).status, 200);
      }
    });

    async function filled(): Promise<{ readonly client: ApiClient; readonly namespace: string }> {
      const client = await serverWith(...flags);
      const namespace = await freshNamespace(client);
      for (const name of ["a", "b"]) {
        await create(client, namespace, name);
      }
      return { client, namespace };
    }
  });
}

describe("ConfigMaps have a watch cache, and events with a size have one, so that", () => {
  it("a list of any version comes at once, whatever the limit", async () => {
    const client = await serverWith("--watch-cache-sizes=events#100");
    const namespace = await freshNamespace(client);
    for (const name of ["a", "b"]) {
      await createConfigMap(client, namespace, name);
      await events.create(client, namespace, name);
    }
    for (const path of [configMapsPath, eventsPath]) {
      assert.deepEqual(namesOf((await client.get(path(namespace, "", anyVersion))).document), ["a", "b"]);
    }
  });
});
