import { type ControlPlane, startControlPlane } from "@gatehouse/testing";
import { type ClusterMatchers, matchers } from "@gatehouse/testing/expect";
import { expect, test } from "vitest";

declare module "vitest" {
  interface Matchers<T> extends ClusterMatchers<T> {}
}
expect.extend(matchers);

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {plural: widgets, kind: Widget}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {size: {type: integer, maximum: 5, default: 1}}}
`;

/** Creates a widget with the spec; returns the code and the object of the answer. */
async function createWidget(cluster: ControlPlane, spec: object): Promise<{ code: number; object: unknown }> {
  const { status, body } = await cluster.client.requestJson({
    method: "POST",
    path: "/apis/example.com/v1/namespaces/default/widgets",
    body: { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "one" }, spec },
    signal: new AbortController().signal,
    timeoutMs: 10_000,
  });
  return { code: status, object: body };
}

test("a widget without a size has the default", async () => {
  await using cluster = await startControlPlane({ definitions: [definition] });
  expect(await createWidget(cluster, {})).toMatchObject({ code: 201, object: { spec: { size: 1 } } });
});

test("a widget that is too large is refused", async () => {
  await using cluster = await startControlPlane({ definitions: [definition] });
  expect(await createWidget(cluster, { size: 6 })).toMatchObject({
    code: 422,
    object: { reason: "Invalid", details: { causes: [{ field: "spec.size" }] } },
  });
});

test("definitions become established in a fork, where others see nothing of it", async () => {
  await using cluster = await startControlPlane();
  await using fork = await cluster.fork();
  await fork.apply(definition);
  const read = ({ client }: ControlPlane) =>
    client.requestJson({
      path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com",
      signal: new AbortController().signal,
      timeoutMs: 10_000,
    });
  expect((await read(fork)).body).toHaveCondition("Established");
  expect((await read(cluster)).status).toBe(404);
  await expect(read(cluster)).not.toBeDenied();
});
