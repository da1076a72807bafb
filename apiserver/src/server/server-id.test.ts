import assert from "node:assert/strict";
import { test } from "node:test";
import { serverId } from "./server-id.js";

test("the identity of a server is the one that v1.29 gives to its host", () => {
  // Recorded from kube-apiserver v1.29.0 on a host named vm.
  assert.equal(serverId("vm"), "apiserver-wlv32tlttr4jl3gtroqexyxapa");
});
