import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeReview } from "./review-document.js";

const kind = { group: "authentication.k8s.io", version: "v1", kind: "TokenReview" };
const apiVersion = "authentication.k8s.io/v1";
const status = { authenticated: true };

/** Returns the status that is read in an answer, or why none is. */
async function read(answer: object | string): Promise<unknown> {
  const body = typeof answer === "string" ? answer : JSON.stringify(answer);
  try {
    return (await decodeReview(kind, Buffer.from(body)))["status"];
  } catch (error) {
    return (error as Error).message;
  }
}

test("the answer to a review is JSON or YAML, and names its kind in any letters, or none", async () => {
  for (const answer of [
    { apiVersion, kind: "TokenReview", status },
    { status },
    { kind: "TokenReview", status },
    { apiVersion: "authentication.k8s.io/", status },
    { APIVERSION: apiVersion, KIND: "TokenReview", status },
    "status:\n  authenticated: true\n",
    `\ufeff${JSON.stringify({ status })}`,
  ]) {
    assert.deepEqual(await read(answer), { user: {}, ...status }, JSON.stringify(answer));
  }
  assert.deepEqual(await read("null"), { user: {} });
  // What is given twice is joined: the second one does not take the first one back.
  const twice = '{"status":{"error":"no","user":{"username":"a"}},"status":{"authenticated":true,"user":{"uid":"1"}}}';
  assert.deepEqual(await read(twice), { authenticated: true, error: "no", user: { username: "a", uid: "1" } });
});

test("an answer of another kind is told by that kind, whose members are read first", async () => {
  const scheme = 'in scheme "pkg/runtime/scheme.go:100"';
  const rows: readonly (readonly [answer: object | string, problem: string])[] = [
    [{ apiVersion: "v1", kind: "Pod" }, "converting (v1.Pod) to (v1.TokenReview): unknown conversion"],
    [
      { apiVersion: "authentication.k8s.io/v1beta1", kind: "TokenReview" },
      "converting (v1beta1.TokenReview) to (v1.TokenReview): unknown conversion",
    ],
    [
      { apiVersion: "apps/v1", kind: "ListOptions" },
      "converting (v1.ListOptions) to (v1.TokenReview): unknown conversion",
    ],
    [
      { apiVersion: "apps/v7", kind: "ListOptions" },
      `no kind "ListOptions" is registered for version "apps/v7" ${scheme}`,
    ],
    [{ apiVersion: "x/v7", kind: "Status" }, "converting (v1.Status) to (v1.TokenReview): unknown conversion"],
    [{ kind: "Status", status }, "json: cannot unmarshal object into Go struct field Status.status of type string"],
    [{ kind: "Odd" }, `no kind "Odd" is registered for version "authentication.k8s.io/v1" ${scheme}`],
    [{ apiVersion: "v1" }, `no kind "TokenReview" is registered for version "v1" ${scheme}`],
    [{ apiVersion: "a/b/c" }, "unexpected GroupVersion string: a/b/c"],
    [
      { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" },
      `no kind "CustomResourceDefinition" is registered for version "apiextensions.k8s.io/v1" ${scheme}`,
    ],
    ["a: [", "yaml: line 1: did not find expected node content"],
  ];
  for (const [answer, problem] of rows) {
    assert.equal(await read(answer), problem, JSON.stringify(answer));
  }
});
