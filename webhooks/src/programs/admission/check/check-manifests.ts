import { ConfigurationError } from "@gatehouse/component-base/errors";
import {
  type CheckedManifest,
  DocumentError,
  listDocumentFiles,
  type ManifestPlace,
  type ManifestReport,
  readObjects,
  type SkippedDocument,
  type SourceDocument,
} from "@gatehouse/component-base/manifests";
import { problemAt } from "@gatehouse/component-base/problems";
import { isJsonObject, type JsonObject, textAt } from "@gatehouse/envelopes/json";
import type { Hook } from "../../../toolkit/hooks/hook.js";
import { isDefinition } from "../../../toolkit/testing/custom-kind.js";
import { PolicyObjects } from "../../../toolkit/testing/policy-objects.js";
import { isBinding, isPolicy, PolicySet, policyProblems } from "../../../toolkit/testing/policy-set.js";
import { BadObjectError } from "../../../toolkit/testing/prepare-object.js";
import type { AdmissionWorld } from "../../../toolkit/testing/put-to-hooks.js";

import { isPolicyOrDefinition } from "../policies/read-policy-documents.js";
import { reportRules } from "./check-report.js";
import { judgeManifest, refusal, type Verdict } from "./judge-manifest.js";

/** The documents of a file or folder, and the errors of those that cannot be read, in the order of their files. */
export type Manifests = readonly (SourceDocument | DocumentError)[];

/** Reads the documents of a file or folder. Rejects with ConfigurationError when there is no such path. */
export async function readManifests(path: string): Promise<Manifests> {
  const read: (SourceDocument | DocumentError)[] = [];
  for (const file of await listDocumentFiles(path)) {
    const sources = await readObjects(file).catch((error) => [documentErrorOf(error)]);
    read.push(...sources);
  }
  return read;
}

/** Returns an error of a document, which becomes a finding. Throws any other error. */
function documentErrorOf(error: unknown): DocumentError {
  if (error instanceof DocumentError) {
    return error;
  }
  throw error;
}

/** Reports whether there is a policy or a definition among documents, by which others can be checked without hooks. */
export function havePolicies(documents: Manifests): boolean {
  return documents.some((source) => !(source instanceof DocumentError) && isPolicyOrDefinition(source.content));
}

/** The hooks, and the documents that are in force beside the manifests: policies, their parameters, and definitions. */
export interface CheckInit {
  readonly hooks: readonly Hook[];
  readonly policyDocuments: readonly SourceDocument[];
}

/**
 * Puts manifests to hooks and policies as if they were created; policies and definitions among the manifests are in force,
 * too. Throws
 * ConfigurationError, which names the path, when there is no manifest.
 */
export async function checkManifests(
  { hooks, policyDocuments }: CheckInit,
  manifests: Manifests,
  path: string,
): Promise<ManifestReport> {
  const checked: CheckedManifest[] = [];
  const skipped: SkippedDocument[] = [];
  const add = (place: ManifestPlace, object: string, verdicts: readonly Verdict[], durationMs: number): void => {
    checked.push({ ...place, object, durationMs, findings: verdicts.map((verdict) => ({ ...place, ...verdict })) });
  };
  const contents = [...policyDocuments, ...manifests].flatMap((source) =>
    source instanceof DocumentError ? [] : [source.content],
  );
  const world = worldOf(hooks, contents);
  for (const source of manifests) {
    const { file, line } = source;
    if (source instanceof DocumentError) {
      add({ file, line }, "document", [refusal(source.text)], 0);
    } else if (source.content["apiVersion"] === undefined && source.content["kind"] === undefined) {
      skipped.push({ file, line, reason: "no manifest, without apiVersion and kind" });
    } else {
      const began = performance.now();
      const verdicts = await judgeManifest(world, source.content);
      add({ file, line }, describe(source), verdicts, performance.now() - began);
    }
  }
  if (checked.length === 0) {
    // A check without manifests would pass unnoticed, for example after its folder has moved.
    const text = "there is no manifest: no YAML or JSON document with apiVersion and kind";
    throw new ConfigurationError(path, [problemAt("path", text)]);
  }
  const policies = world.policies.policies.map(({ name }) => name);
  const definitions = contents.filter(isDefinition).map((definition) => textAt(definition, "metadata", "name"));
  const rules = reportRules(hooks, policies, [...new Set(definitions)]);
  return { tool: "gatehouse-admission", rules, checked, skipped };
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

function describe({ content }: SourceDocument): string {
  const metadata = isJsonObject(content["metadata"]) ? content["metadata"] : {};
  const { namespace, name = metadata["generateName"] } = metadata;
  const path = [namespace, name].filter((part) => part !== undefined).join("/");
  return [content["kind"] ?? "document", path].filter((part) => part !== "").join(" ");
}
