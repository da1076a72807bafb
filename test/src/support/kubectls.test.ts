import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseKubectls, findKubectls, type KubectlBinary } from "./kubectls.js";

test("without any kubectl there is none to test with, which is a failure where peers are required", async () => {
  assert.deepEqual(await findKubectls({ PATH: "" }), []);
  await assert.rejects(findKubectls({ PATH: "/nowhere", REQUIRE_PEERS: "1" }), /REQUIRE_PEERS=1/);
});

test("the kubectls that are found tell their versions, oldest first", async () => {
  const minors = (await findKubectls()).map(({ minor }) => minor);
  assert.deepEqual(
    [...minors].sort((a, b) => a - b),
    minors,
  );
});

test("a run is for the oldest kubectl, the newest and the server's own, another for the others", async () => {
  const binary = (version: string): KubectlBinary => ({ path: version, version, minor: Number(version.split(".")[1]) });
  const versions = (all: readonly string[]): readonly string[] =>
    chooseKubectls(all.map(binary)).map(({ version }) => version);
  assert.deepEqual(versions(["1.20.2", "1.28.1", "1.29.3", "1.29.14", "1.31.0", "1.33.1"]), [
    "1.20.2",
    "1.29.14",
    "1.33.1",
  ]);
  assert.deepEqual(versions(["1.31.0"]), ["1.31.0"]);
  assert.deepEqual(versions([]), []);
  const of = async (KUBECTLS: string): Promise<readonly string[]> =>
    (await findKubectls({ ...process.env, KUBECTLS })).map(({ version }) => version);
  const [chosen, others, every] = await Promise.all([of("chosen"), of("others"), of("every")]);
  assert.deepEqual([...chosen, ...others].sort(), [...every].sort());
});
