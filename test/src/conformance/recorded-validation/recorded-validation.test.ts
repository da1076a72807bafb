import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { type ApiClient, createApiClient } from "../../spec/support/api-client.js";
import { withoutAdmission } from "../../support/admission-flags.js";
import { startTestServer } from "../../support/start-test-server.js";
import { recordedAnswer } from "./recorded-answer.js";
import { sendCase } from "./recorded-case.js";
import { readRecordedFile } from "./recorded-file.js";

// Recorded from kube-apiserver 1.29.0 by `record.ts`; data lies beside the source, which the compiler does not copy.
const folder = new URL("../../../src/conformance/recorded-validation/", import.meta.url);

/** Controllers that write the status of objects of the test, or more of them. */
const changingControllers = [
  "disruption-controller",
  "resourcequota-controller",
  "clusterrole-aggregation-controller",
  "apiservice-status-available-controller",
];

describe("Invalid objects are refused as kube-apiserver 1.29 has refused them", () => {
  let server: ControlPlane;
  let client: ApiClient;

  before(async () => {
    // What was asked had no controller manager beside it: nobody else changes the objects between a read and a write.
    const controllers = `--controllers=*,-${changingControllers.join(",-")}`;
    const features = "--feature-gates=ClusterTrustBundle=true";
    // Flow control writes conditions of FlowSchemas, here while they are being changed.
    const flowControl = "--enable-priority-and-fairness=false";
    server = await startTestServer({
      flags: ["--runtime-config=api/all=true", features, controllers, flowControl, withoutAdmission],
    });
    client = createApiClient(server.clientConfig);
    await client.post("/api/v1/namespaces", { metadata: { name: "recorded" } });
  });

  after(async () => {
    client?.[Symbol.dispose]();
    await server?.stop();
  });

  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .sort()) {
    for (const { subject, cases } of readRecordedFile(new URL(file, folder))) {
      const { kind, apiVersion, metadata } = subject.object as {
        kind: string;
        apiVersion: string;
        metadata: { name: string };
      };
      it(`${cases.length} changes of ${apiVersion} ${kind} ${metadata.name}`, async () => {
        const created = await client.post(subject.collection, subject.object);
        assert.equal(created.status, 201, created.text);
        for (const recorded of cases) {
          const { code, body } = await sendCase(client, subject, recorded);
          const { write, set, ...expected } = recorded;
          assert.deepEqual(recordedAnswer(code, body), expected, `${write} ${JSON.stringify(set)}`);
        }
        await client.delete(`${subject.collection}/${metadata.name}?gracePeriodSeconds=0`);
      });
    }
  }
});
