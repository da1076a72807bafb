import assert from "node:assert/strict";
import { test } from "node:test";
import { findKubectls } from "./kubectls.js";

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
