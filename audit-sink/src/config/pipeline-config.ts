import { checkConfigDocument, readConfigFile } from "@gatehouse/component-base/config-documents";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import type { auditV1, gatehouseauditV1alpha1 } from "@gatehouse/envelopes/types";
import { auditPolicyErrors } from "@gatehouse/policies/audit";
import { parseRedactionPath } from "../pipelines/redaction.js";
import type { PipelineConfig } from "./audit-sink-config.js";
import { resolveOutput } from "./resolve-output.js";
import type { Settings } from "./settings.js";

const policyKind = { group: "audit.k8s.io", version: "v1", kind: "Policy" };
/** The position of a pipeline is kept in a file of its name. */
const namePattern = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const mebibyte = 2 ** 20;

/** Checks the pipelines of a configuration and reads their policies. */
export async function resolvePipelines(
  pipelines: readonly gatehouseauditV1alpha1.AuditPipeline[],
  settings: Settings,
): Promise<readonly PipelineConfig[]> {
  const names = new Set<string>();
  const resolved: PipelineConfig[] = [];
  for (const [index, pipeline] of pipelines.entries()) {
    const at = `pipelines[${index}]`;
    if (!namePattern.test(pipeline.name)) {
      settings.refuse(`${at}.name`, "must be lower-case letters, digits and hyphens, at most 63");
    } else if (names.has(pipeline.name)) {
      settings.refuse(`${at}.name`, `${JSON.stringify(pipeline.name)} stands there twice`);
    }
    names.add(pipeline.name);
    resolved.push(await resolvePipeline(at, pipeline, settings));
  }
  return resolved;
}

async function resolvePipeline(
  at: string,
  pipeline: gatehouseauditV1alpha1.AuditPipeline,
  settings: Settings,
): Promise<PipelineConfig> {
  const { batching = {}, retry = {} } = pipeline;
  return {
    name: pipeline.name,
    policy: await policyOf(at, pipeline, settings),
    redact: redactionsOf(at, pipeline.redact ?? [], settings),
    batching: {
      maxEvents: settings.count(`${at}.batching.maxEvents`, batching.maxEvents, 400),
      maxBytes: settings.bytes(`${at}.batching.maxBytes`, batching.maxBytes, 4 * mebibyte),
      maxWaitMs: settings.durationMs(`${at}.batching.maxWait`, batching.maxWait, 1000),
    },
    retry: {
      initialBackoffMs: settings.durationMs(`${at}.retry.initialBackoff`, retry.initialBackoff, 500, 1),
      maxBackoffMs: settings.durationMs(`${at}.retry.maxBackoff`, retry.maxBackoff, 30_000, 1),
      timeoutMs: settings.durationMs(`${at}.retry.timeout`, retry.timeout, 30_000, 1),
    },
    startAtEnd: pipeline.startAtEnd ?? false,
    output: resolveOutput(`${at}.output`, pipeline.output, settings),
  };
}

async function policyOf(
  at: string,
  { policy, policyFile }: gatehouseauditV1alpha1.AuditPipeline,
  settings: Settings,
): Promise<auditV1.Policy | undefined> {
  const file = settings.optionalFile(policyFile);
  if (file === undefined || policy !== undefined) {
    if (file !== undefined) {
      settings.refuse(`${at}.policyFile`, "must not be given beside policy");
    }
    for (const problem of policy === undefined ? [] : policyProblems(policy)) {
      settings.refuse(`${at}.policy`, problem);
    }
    return policy;
  }
  try {
    const read = await checkConfigDocument<auditV1.Policy>(await readConfigFile(file), [policyKind]);
    for (const problem of policyProblems(read)) {
      settings.refuse(`${at}.policyFile`, `${file}: ${problem}`);
    }
    return read;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) {
      throw error;
    }
    for (const { message } of error.problems) {
      settings.refuse(`${at}.policyFile`, `${file}: ${message}`);
    }
    return undefined;
  }
}

/** Returns the problems of a policy's rules; the policy's shape must be valid. */
function policyProblems(policy: auditV1.Policy): readonly string[] {
  return policy.rules.length === 0
    ? ["rules: must not be empty"]
    : auditPolicyErrors(policy).map(({ field, message }) => `${field}: ${message}`);
}

function redactionsOf(at: string, paths: readonly string[], settings: Settings): readonly string[] {
  for (const [index, path] of paths.entries()) {
    if (parseRedactionPath(path) === undefined) {
      settings.refuse(`${at}.redact[${index}]`, `${JSON.stringify(path)} is no path, such as requestObject.data`);
    }
  }
  return paths;
}
