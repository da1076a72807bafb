import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { BadObjectError, prepareObject } from "./prepare-object.js";

const templateSpec = {
  dnsPolicy: "ClusterFirst",
  restartPolicy: "Always",
  securityContext: {},
  terminationGracePeriodSeconds: 30,
  schedulerName: "default-scheduler",
};
const container = { terminationMessagePath: "/dev/termination-log", terminationMessagePolicy: "File" };

test("hooks are shown a workload with all that a server fills in, computed or constant", () => {
  const given: JsonObject = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web" },
    spec: {
      selector: { matchLabels: { app: "web" } },
      template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image: "nginx" }] } },
    },
  };
  assert.deepEqual(prepareObject(given)["spec"], {
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { creationTimestamp: null, labels: { app: "web" } },
      spec: {
        containers: [{ name: "c", image: "nginx", resources: {}, ...container, imagePullPolicy: "Always" }],
        ...templateSpec,
      },
    },
    replicas: 1,
    strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "25%", maxSurge: "25%" } },
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
  });
});

test("hooks are shown a pod whose containers request what they are limited to", () => {
  const limits = { cpu: "100m" };
  const given: JsonObject = {
    apiVersion: "v1",
    kind: "Pod",
    spec: { containers: [{ name: "c", image: "nginx:1.25", resources: { limits } }] },
  };
  assert.deepEqual(prepareObject(given)["spec"], {
    containers: [
      {
        name: "c",
        image: "nginx:1.25",
        resources: { limits, requests: limits },
        ...container,
        imagePullPolicy: "IfNotPresent",
      },
    ],
    enableServiceLinks: true,
    ...templateSpec,
  });
});

test("an object of a custom kind is shown as it is, and one that is none of its kind is refused", () => {
  const custom: JsonObject = { apiVersion: "example.com/v1", kind: "Widget", spec: { size: 3 } };
  assert.deepEqual(prepareObject(custom), custom);
  assert.throws(
    () => prepareObject({ apiVersion: "v1", kind: "ConfigMap", dat: {} }),
    new BadObjectError('ConfigMap: unknown field "dat"'),
  );
  assert.throws(() => prepareObject({ kind: "Pod" }), new BadObjectError("the object must have apiVersion and kind"));
});
