import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { startTestServer } from "../../support/start-test-server.js";
import { until } from "../../support/until.js";
import { recordedAnswer } from "./recorded-answer.js";
import { bodyOf, definitionFile, type RecordedCase, readRecordedCases } from "./recorded-cases.js";

const collection = "/apis/cr.example.com/v1/namespaces/default/things";

describe("Objects of custom kinds are taken, pruned and refused as kube-apiserver 1.29 has recorded it", () => {
  let server: ControlPlane;

  const post = async (path: string, body: string): Promise<{ code: number; text: string }> => {
    const headers = { "content-type": "application/json" };
    const signal = new AbortController().signal;
    const answer = await server.client.request({ method: "POST", path, body, headers, signal, timeoutMs: 30_000 });
    return { code: answer.status, text: answer.body.toString() };
  };

  before(async () => {
    server = await startTestServer();
    const definition = readFileSync(definitionFile, "utf8");
    const made = await post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
    assert.equal(made.code, 201, made.text);
    await until("the definition is served", async () => {
      const { code } = await post(`${collection}?dryRun=All`, bodyOf({ spec: "{}" }));
      return code === 201;
    });
  });

  after(() => server?.stop());

  const byMember = new Map<string, RecordedCase[]>();
  for (const recorded of readRecordedCases()) {
    const member = /^\{"([^"]+)"/.exec(recorded.spec)?.[1] ?? "";
    byMember.set(member, [...(byMember.get(member) ?? []), recorded]);
  }
  for (const [member, cases] of byMember) {
    it(`${cases.length} values of ${member}`, async () => {
      for (const recorded of cases) {
        const { code, text } = await post(`${collection}?dryRun=All`, bodyOf(recorded));
        assert.deepEqual(recordedAnswer(code, text), recorded.answer, recorded.spec);
      }
    });
  }
});
