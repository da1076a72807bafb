import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { flunders } from "./flunders.js";
import { startWardle } from "./start.js";

const folder = await mkdtemp(join(tmpdir(), "wardle-"));
const server = await startWardle(folder, "s3cret");
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});
const flunder = (name: string, spec: object) => ({
  apiVersion: "wardle.example.com/v1alpha1",
  kind: "Flunder",
  metadata: { name, namespace: "sea" },
  spec: { ...spec },
});

test("a flunder gets the default species and is counted", async () => {
  const { client } = server;
  const { spec } = await client.create(flunders, flunder("bo", { grams: 300 }));
  assert.deepEqual(spec, { grams: 300, species: "Plaice" });
  assert.equal(await client.count(flunders, "sea"), 1);
});

test("a flunder does not swim with itself", async () => {
  const alone = flunder("al", { grams: 1, swimsWith: "al" });
  await assert.rejects(server.client.create(flunders, alone), /spec.swimsWith: Invalid value: "al": must be another/);
});
