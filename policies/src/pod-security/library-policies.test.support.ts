import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { parseYamlDocuments } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { AdmissionWrite, ExpressionSource } from "../admission-expressions/admission-write.js";
import { evaluatePolicy } from "../admission-expressions/policies/evaluate-policy.js";
import { Policy } from "../admission-expressions/policies/policy.js";
import type { CheckedPod } from "./check.js";

const library = new URL("../../library/cel/", import.meta.url);

/** A policy of the library about pods, without its match conditions. */
export interface PodPolicy {
  /** The name of its file. */
  readonly name: string;
  /** Resolves to the message of the violation by a pod that is created; undefined if there is none. */
  readonly violationBy: (pod: CheckedPod) => Promise<string | undefined>;
}

/** Reads the policies of a folder of the library, by their names. */
export async function readPodPolicies(folder: string): Promise<readonly PodPolicy[]> {
  const files = readdirSync(new URL(`${folder}/`, library)).filter((file) => file.endsWith(".yaml"));
  return Promise.all(
    files.map(async (file) => {
      const [document] = await parseYamlDocuments(readFileSync(new URL(`${folder}/${file}`, library), "utf8"));
      assert.ok(document);
      const policy = new Policy(document.value as JsonObject);
      return { name: file.replace(/\.yaml$/, ""), violationBy: (pod) => violation(policy, pod) };
    }),
  );
}

const kind = { group: "", version: "v1", kind: "Pod" };
const resource = { group: "", version: "v1", resource: "pods" };
const source: ExpressionSource = { request: () => ({ operation: "CREATE" }), authorization: () => undefined };
const { signal } = new AbortController();

async function violation(policy: Policy, { annotations, spec }: CheckedPod): Promise<string | undefined> {
  const metadata = { name: "p", namespace: "n", annotations };
  const object = { apiVersion: "v1", kind: "Pod", metadata, spec } as unknown as JsonObject;
  const objects = { kind, object, oldObject: undefined };
  const write: AdmissionWrite = {
    operation: "CREATE",
    resource,
    subresource: "",
    namespace: "n",
    name: "p",
    ...objects,
    signal,
    yield: () => undefined,
  };
  const { decisions } = await evaluatePolicy(policy, { write, source, objects, hasAuthorizer: false });
  return decisions.flatMap((decision) => (decision.action === "deny" ? [decision.message] : []))[0];
}
