import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigurationError } from "../errors.js";
import { openCluster } from "./open-cluster.js";

test("a client without a kubeconfig and outside of a pod tells what to give", async () => {
  for (const env of [{}, { KUBECONFIG: "", KUBERNETES_SERVICE_HOST: "" }]) {
    await assert.rejects(openCluster({ program: "test", env }), (error) => {
      assert.ok(error instanceof ConfigurationError);
      assert.match(error.message, /--kubeconfig: nothing says where the cluster is: give a file, or set KUBECONFIG/);
      return true;
    });
  }
});

test("a client in a pod reads the configuration of every process in a pod, and names what is missing there", async () => {
  const env = { KUBERNETES_SERVICE_HOST: "10.0.0.1" };
  await assert.rejects(openCluster({ program: "test", env }), (error) => {
    assert.ok(error instanceof ConfigurationError);
    assert.match(error.message, /KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined/);
    return true;
  });
});
