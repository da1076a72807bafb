import { type DocumentVerdict, type Inputs, lineOf, reportJudgement } from "@gatehouse/component-base/manifest-check";
import {
  DocumentError,
  type Finding,
  type ManifestReport,
  type SourceDocument,
} from "@gatehouse/component-base/manifests";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import type { Hook } from "../../../toolkit/hooks/hook.js";
import { isDefinition } from "../../../toolkit/testing/custom-kind.js";
import { PolicyObjects } from "../../../toolkit/testing/policy-objects.js";
import { isBinding, isPolicy, PolicySet, policyProblems } from "../../../toolkit/testing/policy-set.js";
import { BadObjectError } from "../../../toolkit/testing/prepare-object.js";
import type { AdmissionWorld } from "../../../toolkit/testing/put-to-hooks.js";

import { manifestRule, reportRules } from "./check-report.js";
import { judgeManifest } from "./judge-manifest.js";

/** The hooks, and the documents that are in force beside the manifests: policies, their parameters, and definitions. */
export interface CheckInit {
  readonly hooks: readonly Hook[];
  readonly policyDocuments: readonly SourceDocument[];
}

/**
 * Puts manifests to hooks and policies as if they were created; policies and definitions among the manifests are in force,
 * too.
 */
export async function checkManifests({ hooks, policyDocuments }: CheckInit, inputs: Inputs): Promise<ManifestReport> {
  const sources = inputs.documents.flatMap((document) => (document instanceof DocumentError ? [] : [document]));
  const contents = [...policyDocuments, ...sources].map(({ content }) => content);
  const world = worldOf(hooks, contents);
  const verdicts = new Map<SourceDocument, DocumentVerdict>();
  for (const source of sources) {
    verdicts.set(source, await judge(world, source));
  }
  const policies = world.policies.policies.map(({ name }) => name);
  const definitions = contents.filter(isDefinition).map((definition) => textAt(definition, "metadata", "name"));
  const rules = reportRules(hooks, [...new Set(policies)], [...new Set(definitions)]);
  return reportJudgement(inputs, { tool: "gatehouse-admission", rules, unreadable: manifestRule, verdicts });
}

async function judge(world: AdmissionWorld, source: SourceDocument): Promise<DocumentVerdict> {
  const began = performance.now();
  const found = await judgeManifest(world, source.content);
  const durationMs = performance.now() - began;
  const place = { file: source.file, line: lineOf(source) };
  return { findings: found.map((verdict): Finding => ({ ...place, ...verdict })), durationMs };
}

function worldOf(hooks: readonly Hook[], objects: readonly JsonObject[]): AdmissionWorld {
  const policies = objects.filter((object) => (isPolicy(object) || isBinding(object)) && isUsable(object));
  return { hooks, policies: new PolicySet(policies), objects: new PolicyObjects(objects) };
}

/** Reports whether a server would take a policy or binding. One that it would not take is told where it is checked. */
function isUsable(object: JsonObject): boolean {
  try {
    return new PolicySet([object]).documents.every((policy) => policyProblems(policy).length === 0);
  } catch (error) {
    if (error instanceof BadObjectError) {
      return false;
    }
    throw error;
  }
}
