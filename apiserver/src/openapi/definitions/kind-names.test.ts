import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { apiVersionOf, schemaRegistry } from "@gatehouse/envelopes/schema";
import { kindNames } from "./kind-names.js";

suite("the kinds that a message is known as", () => {
  const names = kindNames(schemaRegistry());
  const of = (message: string): string[] => names.of(message).map((kind) => `${apiVersionOf(kind)} ${kind.kind}`);
  const meta = "k8s.io.apimachinery.pkg.apis.meta.v1";

  test("a kind of a group version is known as that", () => {
    assert.deepEqual(of("k8s.io.api.apps.v1.Deployment"), ["apps/v1 Deployment"]);
    assert.deepEqual(of("k8s.io.api.apps.v1.DeploymentSpec"), []);
  });

  test("DeleteOptions belong to every group version, also to those that are no longer served", () => {
    const kinds = of(`${meta}.DeleteOptions`);
    for (const apiVersion of ["v1", "apps/v1", "apiextensions.k8s.io/v1beta1", "apiregistration.k8s.io/v1beta1"]) {
      assert.ok(kinds.includes(`${apiVersion} DeleteOptions`), apiVersion);
    }
    assert.equal(kinds.includes("audit.k8s.io/v1 DeleteOptions"), false);
  });

  test("kinds of every group version stand once for each, since clients refuse documents with one twice", () => {
    for (const kind of ["DeleteOptions", "WatchEvent"]) {
      const kinds = of(`${meta}.${kind}`);
      assert.equal(new Set(kinds).size, kinds.length);
    }
  });

  test("a Status belongs to v1, and to the one group version where v1.29 registers it again", () => {
    assert.deepEqual(of(`${meta}.Status`), ["v1 Status", "resource.k8s.io/v1alpha2 Status"]);
  });
});
