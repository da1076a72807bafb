import type { Cluster, ClusterResource } from "@gatehouse/component-base/cluster";
import { isJsonObject, type JsonObject, type JsonValue, textsAt } from "@gatehouse/envelopes/json";
import type { Hook } from "../../../toolkit/hooks/hook.js";
import type { AdmissionOutcome } from "../../../toolkit/testing/admission-outcome.js";
import type { PolicyVerdict } from "../../../toolkit/testing/apply-policies.js";
import type { GivenRequest } from "../../../toolkit/testing/build-review.js";
import { type CustomKind, customKindsOf, isDefinition } from "../../../toolkit/testing/custom-kind.js";
import { PolicyObjects } from "../../../toolkit/testing/policy-objects.js";
import { PolicySet, policyRules } from "../../../toolkit/testing/policy-set.js";
import { BadObjectError } from "../../../toolkit/testing/prepare-object.js";
import { type AdmissionWorld, putToHooks, type Undecided } from "../../../toolkit/testing/put-to-hooks.js";
import { auditedFailure } from "../policies/audited-failure.js";
import { ifServed, listObjects, readPolicyObjects } from "./cluster-objects.js";
import { judgeByDefinition } from "./judge-by-definition.js";
import type { ScanResult } from "./scan-result.js";

/** The hooks of a scan, and the documents of `--policies`. */
export interface ScanInit {
  readonly hooks: readonly Hook[];
  /** Policies with their bindings and parameters, and definitions. */
  readonly policyDocuments: readonly JsonObject[];
}

/**
 * Puts every stored object that a rule of a hook or a policy names, or a definition defines, to these, as if it were
 * created now. Resources that
 * the cluster does not serve, and rules with `*`, are skipped and reported to `onSkipped`.
 */
export async function scanCluster(
  cluster: Cluster,
  { hooks, policyDocuments }: ScanInit,
  onSkipped: (what: string) => void,
  signal: AbortSignal,
): Promise<ScanResult[]> {
  const policies = new PolicySet(policyDocuments);
  const objects = await readPolicyObjects(cluster, policies, policyDocuments, signal);
  const world: AdmissionWorld = { hooks, policies, objects };
  const kinds = policyDocuments.filter(isDefinition).flatMap((definition) => customKindsOf(definition));
  const results: ScanResult[] = [];
  for (const resource of await resourcesOf(cluster, world, kinds, onSkipped)) {
    for (const object of await listObjects(cluster, resource, signal)) {
      results.push(...(await judge(world, resource, object)));
    }
  }
  return results;
}

async function resourcesOf(
  cluster: Cluster,
  { hooks, policies }: AdmissionWorld,
  kinds: readonly CustomKind[],
  onSkipped: (what: string) => void,
): Promise<ClusterResource[]> {
  const wanted = new Map<string, readonly [apiVersion: string, resource: string]>(
    kinds.map(({ apiVersion, resource }) => [`${apiVersion} ${resource}`, [apiVersion, resource]]),
  );
  for (const rule of [...hooks.flatMap(({ rules }) => rules), ...policies.documents.flatMap(policyRules).map(ruleOf)]) {
    for (const group of rule.apiGroups) {
      for (const version of rule.apiVersions) {
        for (const resource of rule.resources.filter((name) => !name.includes("/"))) {
          const apiVersion = group === "" ? version : `${group}/${version}`;
          wanted.set(`${apiVersion} ${resource}`, [apiVersion, resource]);
        }
      }
    }
  }
  const found: ClusterResource[] = [];
  for (const [key, [apiVersion, resource]] of wanted) {
    const served = key.includes("*") ? undefined : await ifServed(cluster.resourceNamed(apiVersion, resource));
    if (served === undefined) {
      onSkipped(key);
    } else {
      found.push(served);
    }
  }
  return found;
}

/** Returns the parts of a rule of a policy that name resources. */
function ruleOf(rule: JsonObject): Record<"apiGroups" | "apiVersions" | "resources", readonly string[]> {
  return {
    apiGroups: textsAt(rule, "apiGroups"),
    apiVersions: textsAt(rule, "apiVersions"),
    resources: textsAt(rule, "resources"),
  };
}

/** Returns no namespace for objects of custom kinds that are in none. Built-in kinds say by themselves whether they are. */
function placeOf({ apiVersion, kind, namespaced }: ClusterResource): Pick<GivenRequest, "namespace"> {
  return namespaced || (apiVersion === "v1" && kind === "Namespace") ? {} : { namespace: "" };
}

const noPolicies = { policies: new PolicySet([]), objects: new PolicyObjects([]) };

/**
 * Returns the results of each hook by itself, and of the definition and each policy, about one object. An object that its
 * definition refuses is not put to policies.
 */
async function judge(world: AdmissionWorld, resource: ClusterResource, object: JsonObject): Promise<ScanResult[]> {
  const about = describe(resource, object);
  const given: GivenRequest = { object, resource: resource.resource, ...placeOf(resource) };
  const results: ScanResult[] = [];
  for (const hook of world.hooks) {
    try {
      const outcome = await putToHooks({ hooks: [hook], ...noPolicies }, given);
      results.push(...resultsOf(hook, outcome, about), ...outcome.undecided.map((each) => undecidedOf(each, about)));
    } catch (error) {
      results.push({ resource: about, policy: hook.name, result: "error", message: messageOf(error) });
    }
  }
  const kind = world.objects.custom(resource.apiVersion, resource.kind);
  const defined = kind === undefined ? undefined : judgeByDefinition(kind, object, about);
  results.push(...(defined === undefined ? [] : [defined.result]));
  const read = defined === undefined ? object : defined.object;
  if (world.policies.policies.length > 0 && read !== undefined) {
    results.push(...(await judgeByPolicies(world, { ...given, object: read }, about)));
  }
  return results;
}

async function judgeByPolicies(
  world: AdmissionWorld,
  given: GivenRequest,
  about: ScanResult["resource"],
): Promise<ScanResult[]> {
  try {
    const { verdicts, undecided } = await putToHooks({ ...world, hooks: [] }, given);
    const decided = verdicts.filter(({ outcome, missing }) => outcome !== "excluded" && missing.length === 0);
    return [
      ...decided.map((verdict) => ({ resource: about, policy: verdict.policy, ...resultOf(verdict) })),
      ...undecided.map((each) => undecidedOf(each, about)),
    ];
  } catch (error) {
    return [{ resource: about, policy: "ValidatingAdmissionPolicy", result: "error", message: messageOf(error) }];
  }
}

/** Returns the message of an object that no server would take. Throws any other error. */
function messageOf(error: unknown): string {
  if (error instanceof BadObjectError) {
    return error.message;
  }
  throw error;
}

function resultOf(verdict: PolicyVerdict): Pick<ScanResult, "result" | "message"> {
  if (verdict.outcome === "denied") {
    return { result: "fail", message: verdict.message ?? "" };
  }
  const audited = auditedFailure(verdict);
  const warnings = [...verdict.warnings, ...(audited === undefined ? [] : [`noted in the audit event: ${audited}`])];
  return warnings.length > 0 ? { result: "warn", message: warnings.join("; ") } : { result: "pass", message: "" };
}

function undecidedOf({ by, missing }: Undecided, resource: ScanResult["resource"]): ScanResult {
  const message = `cannot be told by a scan, since it asks for ${missing.join(" and ")}`;
  return { resource, policy: by, result: "skip", message };
}

function describe({ apiVersion, kind }: ClusterResource, object: JsonObject): ScanResult["resource"] {
  const metadata = isJsonObject(object["metadata"]) ? object["metadata"] : {};
  const { namespace, name, uid } = metadata as Record<string, JsonValue>;
  return {
    apiVersion,
    kind,
    ...(typeof namespace === "string" ? { namespace } : {}),
    name: String(name),
    uid: String(uid),
  };
}

function resultsOf(hook: Hook, outcome: AdmissionOutcome, resource: ScanResult["resource"]): ScanResult[] {
  const of = (result: ScanResult["result"], message: string): ScanResult => ({
    resource,
    policy: hook.name,
    result,
    message,
  });
  if (outcome.excluded.length > 0) {
    return [of("skip", "is not asked: its match conditions exclude the object")];
  }
  if (outcome.outcome === "denied") {
    return [of("fail", outcome.message ?? "")];
  }
  if (outcome.outcome === "failed") {
    return [of("error", outcome.message ?? "")];
  }
  if (outcome.asked.length === 0) {
    return [];
  }
  if (outcome.warnings.length > 0) {
    return [of("warn", outcome.warnings.join("; "))];
  }
  return [outcome.patch.length > 0 ? of("warn", "the hook would change this object") : of("pass", "")];
}
