import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeJson } from "./codec/index.js";
import type { admissionV1, appsV1, coreV1 } from "./generated/index.js";
import { kindSchema } from "./schema/index.js";

// Mostly for the compiler: these lines are what people who write hooks rely on.

const web: appsV1.Deployment = {
  kind: "Deployment",
  apiVersion: "apps/v1",
  metadata: { name: "web", labels: { app: "web" } },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: {
        containers: [
          {
            name: "web",
            image: "web:1",
            ports: [{ containerPort: 8080, protocol: "TCP" }],
            resources: { limits: { cpu: "1", "example.com/gpu": "2" } },
            readinessProbe: { httpGet: { port: "http" }, periodSeconds: 5 },
          },
        ],
        volumes: [{ name: "tmp", emptyDir: {} }],
      },
    },
  },
};

// @ts-expect-error a protocol is one of a closed set
const protocol: coreV1.Protocol = "HTTP";

// @ts-expect-error containers are required
const empty: coreV1.PodSpec = {};

test("an object that fits its interface fits its schema", () => {
  const schema = kindSchema("apps", "v1", "Deployment")?.schema;
  assert.ok(schema !== undefined);
  const { object, unknownFields } = decodeJson(schema, JSON.parse(JSON.stringify(web)));
  assert.deepEqual(unknownFields, []);
  const typed = object as appsV1.Deployment;
  assert.equal(typed.spec?.template.spec?.containers[0]?.ports?.[0]?.protocol, "TCP");
});

test("members that a hook reads have the types it expects", () => {
  const describe = (request: admissionV1.AdmissionRequest): string => `${request.operation} ${request.kind.kind}`;
  const request: admissionV1.AdmissionRequest = {
    uid: "1",
    kind: { group: "", version: "v1", kind: "Pod" },
    resource: { group: "", version: "v1", resource: "pods" },
    operation: "CREATE",
    userInfo: {},
  };
  assert.equal(describe(request), "CREATE Pod");
  assert.deepEqual([protocol, empty], ["HTTP", {}]);
});
