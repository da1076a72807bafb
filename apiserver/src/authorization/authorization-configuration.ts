import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { checkConfigDocument, readConfigFile } from "@gatehouse/component-base/config-documents";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { parseDuration, trimSpace } from "@gatehouse/envelopes/go";
import type { apiserverconfigV1alpha1 } from "@gatehouse/envelopes/types";
import { validateSubdomainName } from "@gatehouse/envelopes/validation";
import type { CompiledExpression } from "@gatehouse/policies/cel";
import { type AuthorizerConfig, type WebhookAuthorizerConfig, webhookDefaults } from "../options/authorization.js";
import { type AuthorizationMode, authorizationModes } from "../options/authorization-modes.js";
import { compileAccessCondition, maxAccessConditions } from "./webhook/access-conditions.js";

type Entry = apiserverconfigV1alpha1.AuthorizerConfiguration;
type Webhook = apiserverconfigV1alpha1.AuthorizationWebhook;

const kind = { group: "apiserver.config.k8s.io", version: "v1alpha1", kind: "AuthorizationConfiguration" } as const;
const maxTimeoutMs = 30_000;

/** Reads the file of `--authorization-config`. Rejects with a ConfigurationError that tells every problem with its path. */
export async function readAuthorizationConfiguration(
  file: string,
  policyFile: string | undefined,
): Promise<readonly AuthorizerConfig[]> {
  const content = await checkConfigDocument<apiserverconfigV1alpha1.AuthorizationConfiguration>(
    await readConfigFile(file),
    [kind],
  );
  const problems: Problem[] = [];
  const entries = content.authorizers ?? [];
  if (entries.length === 0) {
    problems.push(problemAt("authorizers", "at least one authorization mode must be defined"));
  }
  const authorizers = entries.map((entry, index) => {
    const path = `authorizers[${index}]`;
    validateNames(entries, index, path, problems);
    return entry.type === "Webhook" ? webhookOf(entry, path, problems) : builtIn(entry, path, policyFile, problems);
  });
  await validateFiles(entries, problems);
  if (problems.length > 0) {
    throw new ConfigurationError(file, problems);
  }
  return authorizers.filter((authorizer) => authorizer !== undefined);
}

function validateNames(entries: readonly Entry[], index: number, path: string, problems: Problem[]): void {
  const { type = "", name = "" } = entries[index] as Entry;
  const before = entries.slice(0, index);
  if (!authorizationModes.some((mode) => mode === type)) {
    const supported = authorizationModes.toSorted().map((mode) => JSON.stringify(mode));
    problems.push(problemAt(`${path}.type`, `${JSON.stringify(type)} is not one of ${supported.join(", ")}`));
  } else if (type !== "Webhook" && before.some((entry) => entry.type === type)) {
    problems.push(problemAt(`${path}.type`, `${JSON.stringify(type)} is there more than once`));
  }
  const faults = validateSubdomainName(name);
  if (name === "") {
    problems.push(problemAt(`${path}.name`, "is required"));
  } else if (faults.length > 0) {
    problems.push(problemAt(`${path}.name`, `authorizer name is invalid: ${faults.join(", ")}`));
  } else if (before.some((entry) => entry.name === name)) {
    problems.push(problemAt(`${path}.name`, `${JSON.stringify(name)} is there more than once`));
  }
}

function builtIn(
  { type = "", name, webhook }: Entry,
  path: string,
  policyFile: string | undefined,
  problems: Problem[],
): AuthorizerConfig | undefined {
  if (webhook !== undefined) {
    problems.push(problemAt(`${path}.webhook`, "may only be specified when type=Webhook"));
  }
  if (name !== type.toLowerCase()) {
    const text = `expected name ${type.toLowerCase()} for authorizer ${type} instead of ${name}`;
    problems.push(problemAt(`${path}.name`, text));
  }
  if (type !== "ABAC") {
    return { type: type as Exclude<AuthorizationMode, "ABAC" | "Webhook"> };
  }
  if (policyFile === undefined) {
    problems.push(problemAt(`${path}.type`, "ABAC needs --authorization-policy-file"));
    return undefined;
  }
  return { type, policyFile };
}

function webhookOf(
  { name = "", webhook }: Entry,
  path: string,
  problems: Problem[],
): WebhookAuthorizerConfig | undefined {
  if (webhook === undefined) {
    problems.push(problemAt(`${path}.webhook`, "required when type=Webhook"));
    return undefined;
  }
  const at = `${path}.webhook`;
  validateWebhook(webhook, at, problems);
  return {
    type: "Webhook",
    name,
    kubeconfigFile:
      webhook.connectionInfo?.type === "InClusterConfig" ? undefined : webhook.connectionInfo?.kubeConfigFile,
    version: webhook.subjectAccessReviewVersion === "v1" ? "v1" : "v1beta1",
    authorizedTtlMs:
      duration(webhook.authorizedTTL, `${at}.authorizedTTL`, problems) || webhookDefaults.authorizedTtlMs,
    unauthorizedTtlMs:
      duration(webhook.unauthorizedTTL, `${at}.unauthorizedTTL`, problems) || webhookDefaults.unauthorizedTtlMs,
    timeoutMs: timeoutOf(webhook, `${at}.timeout`, problems),
    decisionOnError: webhook.failurePolicy === "Deny" ? "deny" : "noOpinion",
    matchConditions: conditionsOf(webhook, at, problems),
  };
}

function validateWebhook(webhook: Webhook, path: string, problems: Problem[]): void {
  const oneOf = (member: string, value: string | undefined, supported: readonly string[]): void => {
    if (!supported.includes(value ?? "")) {
      const texts = supported.map((text) => JSON.stringify(text)).join(", ");
      problems.push(problemAt(`${path}.${member}`, `${JSON.stringify(value ?? "")} is not one of ${texts}`));
    }
  };
  oneOf("subjectAccessReviewVersion", webhook.subjectAccessReviewVersion, ["v1", "v1beta1"]);
  oneOf("failurePolicy", webhook.failurePolicy, ["NoOpinion", "Deny"]);
  if (webhook.matchConditionSubjectAccessReviewVersion !== undefined || webhook.matchConditions !== undefined) {
    oneOf("matchConditionSubjectAccessReviewVersion", webhook.matchConditionSubjectAccessReviewVersion, ["v1"]);
  }
  validateConnection(webhook, `${path}.connectionInfo`, problems);
}

/** Compiles the match conditions of a webhook; those with a problem are left out. */
function conditionsOf(
  { matchConditions = [] }: Webhook,
  path: string,
  problems: Problem[],
): readonly CompiledExpression[] {
  if (matchConditions.length > maxAccessConditions) {
    problems.push(problemAt(`${path}.matchConditions`, `must have at most ${maxAccessConditions} items`));
    return [];
  }
  const conditions: CompiledExpression[] = [];
  for (const [index, { expression = "" }] of matchConditions.entries()) {
    const report = (text: string): void =>
      void problems.push(problemAt(`${path}.matchConditions[${index}].expression`, text));
    if (trimSpace(expression) === "") {
      report("is required");
    } else if (matchConditions.findIndex((other) => other.expression === expression) < index) {
      report(`${JSON.stringify(expression)} is there more than once`);
    } else {
      const condition = compileAccessCondition(expression);
      if (typeof condition === "string") {
        report(condition);
      } else {
        conditions.push(condition);
      }
    }
  }
  return conditions;
}

function validateConnection({ connectionInfo }: Webhook, path: string, problems: Problem[]): void {
  const { type, kubeConfigFile = "" } = connectionInfo ?? {};
  if (type === "InClusterConfig") {
    if (kubeConfigFile !== "") {
      problems.push(problemAt(`${path}.kubeConfigFile`, "can only be set when type=KubeConfigFile"));
    }
  } else if (type !== "KubeConfigFile") {
    const supported = '"InClusterConfig", "KubeConfigFile"';
    problems.push(problemAt(`${path}.type`, `${JSON.stringify(type ?? "")} is not one of ${supported}`));
  } else if (!isAbsolute(kubeConfigFile)) {
    problems.push(problemAt(`${path}.kubeConfigFile`, "must be an absolute path"));
  }
}

async function validateFiles(entries: readonly Entry[], problems: Problem[]): Promise<void> {
  for (const [index, { webhook }] of entries.entries()) {
    const { type, kubeConfigFile = "" } = webhook?.connectionInfo ?? {};
    const path = `authorizers[${index}].webhook.connectionInfo.kubeConfigFile`;
    if (type === "KubeConfigFile" && isAbsolute(kubeConfigFile)) {
      const found = await stat(kubeConfigFile).catch((error: NodeJS.ErrnoException) => error);
      if (found instanceof Error) {
        problems.push(problemAt(path, `cannot be read (${found.code})`));
      } else if (!found.isFile()) {
        problems.push(problemAt(path, "must be a regular file"));
      }
    }
  }
}

function timeoutOf({ timeout }: Webhook, path: string, problems: Problem[]): number {
  const timeoutMs = duration(timeout, path, problems);
  if (timeoutMs !== undefined && (timeoutMs === 0 || timeoutMs > maxTimeoutMs)) {
    problems.push(problemAt(path, "must be > 0s and <= 30s"));
  }
  return timeoutMs ?? 0;
}

/** Parses a duration into milliseconds; 0 if absent, undefined for a problem. */
function duration(text: unknown, path: string, problems: Problem[]): number | undefined {
  if (text === undefined) {
    return 0;
  }
  const nanoseconds = nanosecondsOf(text);
  if (nanoseconds === undefined || nanoseconds < 0) {
    problems.push(problemAt(path, `${JSON.stringify(text)} is not a duration of at least 0s`));
    return undefined;
  }
  return Number(nanoseconds) / 1e6;
}

function nanosecondsOf(text: unknown): bigint | undefined {
  try {
    return typeof text === "string" ? parseDuration(text) : undefined;
  } catch {
    return undefined;
  }
}
