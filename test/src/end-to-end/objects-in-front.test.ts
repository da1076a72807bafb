import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { backingNames, recordDefinition } from "@gatehouse/apiserver/extension/front-store";
import type { ControlPlane } from "@gatehouse/testing";
import { post, startAggregatingServer } from "../aggregation/aggregated-server.js";
import { startExtensionProcess } from "../aggregation/extension-process.js";
import type { RunningCommand } from "../support/running-command.js";

// The example wardle behind a Gatehouse, with its objects in that Gatehouse.

const script = fileURLToPath(new URL("../../../examples/wardle/dist/main.js", import.meta.url));
const flunders = "/apis/wardle.example.com/v1alpha1/namespaces/sea/flunders";

for (const backing of backingNames) {
  describe(`an extension API server with its objects in ${backing}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "wardle-"));
    let front: ControlPlane;
    let wardle: RunningCommand;

    const startWardle = (): Promise<RunningCommand> =>
      startExtensionProcess(front, {
        script,
        group: "wardle.example.com",
        versions: ["v1alpha1"],
        folder,
        flags: [`--storage-backend=${backing}`, "--storage-namespace=storage"],
      });

    before(async () => {
      front = await startAggregatingServer([]);
      await post(front, "/api/v1/namespaces", { metadata: { name: "storage" } });
      await post(front, "/api/v1/namespaces", { metadata: { name: "sea" } });
      if (backing === "customresources") {
        await post(front, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", recordDefinition("wardle"));
      }
      wardle = await startWardle();
    });
    after(async () => {
      await wardle?.stop();
      await front?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    interface Flunder {
      readonly metadata: { readonly name: string; readonly resourceVersion: string };
      readonly spec?: object;
    }

    async function send(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }> {
      const request = { method, path, signal: AbortSignal.timeout(60_000), timeoutMs: 60_000 };
      return await front.client.requestJson(body === undefined ? request : { ...request, body });
    }

    const flunder = (name: string, reference: string, resourceVersion?: string) => ({
      apiVersion: "wardle.example.com/v1alpha1",
      kind: "Flunder",
      metadata: { name, ...(resourceVersion !== undefined && { resourceVersion }) },
      spec: { reference },
    });

    async function create(name: string, reference: string): Promise<Flunder> {
      const { status, body } = await send("POST", flunders, flunder(name, reference));
      assert.equal(status, 201, JSON.stringify(body));
      return body as Flunder;
    }

    test("objects are written once, and only in the version that was read", async () => {
      const { metadata } = await create("ada", "one");
      assert.equal((await send("POST", flunders, flunder("ada", "two"))).status, 409);
      const replaced = await send("PUT", `${flunders}/ada`, flunder("ada", "two", metadata.resourceVersion));
      assert.equal(replaced.status, 200, JSON.stringify(replaced.body));
      const late = await send("PUT", `${flunders}/ada`, flunder("ada", "three", metadata.resourceVersion));
      assert.deepEqual([late.status, (late.body as { reason: string }).reason], [409, "Conflict"]);
    });

    test("a watch from a version has every change since then", async () => {
      const { body } = await send("GET", flunders);
      const from = (body as Flunder).metadata.resourceVersion;
      await create("bo", "one");
      await send("DELETE", `${flunders}/bo`);
      const stop = new AbortController();
      const seen: string[] = [];
      const watching = front.client.request({
        path: `${flunders}?watch=true&resourceVersion=${from}`,
        signal: stop.signal,
        timeoutMs: 60_000,
        onBody(piece) {
          seen.push(...(String(piece).match(/"type":"[A-Z]+"/g) ?? []));
          if (seen.length >= 2) {
            stop.abort();
          }
        },
      });
      await assert.rejects(watching, { failure: "aborted" });
      assert.deepEqual(seen, ['"type":"ADDED"', '"type":"DELETED"']);
    });

    test("a server that is killed finds all objects again in their versions, and has nothing on its disk", async () => {
      const written = await Promise.all(["cy", "dee", "eve"].map((name) => create(name, "kept")));
      await wardle.stop("SIGKILL");
      // The server listens on another port from now on, so it is registered anew.
      await send("DELETE", "/apis/apiregistration.k8s.io/v1/apiservices/v1alpha1.wardle.example.com");
      wardle = await startWardle();
      for (const { metadata } of written) {
        const { status, body } = await send("GET", `${flunders}/${metadata.name}`);
        assert.equal(status, 200, JSON.stringify(body));
        assert.equal((body as Flunder).metadata.resourceVersion, metadata.resourceVersion);
      }
      assert.deepEqual(
        readdirSync(folder).filter((name) => name.endsWith(".mdb")),
        [],
      );
    });
  });
}
