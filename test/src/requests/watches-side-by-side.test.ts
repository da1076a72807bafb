import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { configMapsPath, createConfigMap, freshNamespace } from "../spec/support/fixtures.js";
import { specServerWith } from "../spec/support/shared-server.js";

describe("Watches side by side", () => {
  it("of one namespace, of another and of all get their own events, though they take the same run of them", async () => {
    const { client } = await specServerWith();
    const [first, second] = [await freshNamespace(client), await freshNamespace(client)];
    const list = await client.get(`${configMapsPath(first)}?limit=1`);
    const since = `watch=1&resourceVersion=${list.document.metadata.resourceVersion}`;
    const expected: string[] = [];
    for (let count = 0; count < 20; count++) {
      for (const namespace of count % 3 === 0 ? [second, first] : [first, second]) {
        await createConfigMap(client, namespace, `c${count}`);
        expected.push(`${namespace}/c${count}`);
      }
    }
    const paths = [configMapsPath(first, "", since), configMapsPath(second, "", since), `/api/v1/configmaps?${since}`];
    const watches = await Promise.all([...paths, ...paths].map((path) => client.watch(path)));
    // Others use the server, too; what they create is seen by the watches of all namespaces.
    const isOurs = (name: string): boolean =>
      /\/c\d+$/.test(name) && [first, second].includes(name.split("/")[0] ?? "");
    const wanted = [expected.filter((name) => name.startsWith(`${first}/`))];
    wanted.push(
      expected.filter((name) => name.startsWith(`${second}/`)),
      expected,
    );
    for (const [at, watch] of watches.entries()) {
      const seen: string[] = [];
      while (seen.length < (wanted[at % 3] as string[]).length) {
        const { type, object } = await watch.next();
        const name = `${object.metadata.namespace}/${object.metadata.name}`;
        if (isOurs(name)) {
          assert.equal(type, "ADDED");
          seen.push(name);
        } else {
          assert.ok(at % 3 === 2 || object.metadata.name === "kube-root-ca.crt", name);
        }
      }
      assert.deepEqual(seen, wanted[at % 3]);
      watch[Symbol.dispose]();
    }
  });
});
