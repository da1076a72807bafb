import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import type { CompiledExpression } from "@gatehouse/policies/cel";
import type { AuthorizationFlagValues } from "./authorization-flags.js";
import type { AuthorizationMode } from "./authorization-modes.js";
import type { FeatureGates } from "./feature-gates.js";

/** The authorizers in the order in which they are asked, or a file that names them. */
export type AuthorizationConfig =
  | { readonly authorizers: readonly AuthorizerConfig[] }
  | {
      readonly configFile: string;
      /** The policy file of ABAC, which an authorization configuration can only name; undefined for none. */
      readonly policyFile: string | undefined;
    };

/** One authorizer. */
export type AuthorizerConfig =
  | { readonly type: Exclude<AuthorizationMode, "ABAC" | "Webhook"> }
  | { readonly type: "ABAC"; readonly policyFile: string }
  | WebhookAuthorizerConfig;

/** A webhook authorizer. */
export interface WebhookAuthorizerConfig {
  readonly type: "Webhook";
  readonly name: string;
  /** The kubeconfig that tells how to reach it; undefined for the account of the pod that the server runs in. */
  readonly kubeconfigFile: string | undefined;
  /** The version of the SubjectAccessReview that is sent. */
  readonly version: "v1" | "v1beta1";
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
  readonly timeoutMs: number;
  /** The decision when the webhook cannot be asked. */
  readonly decisionOnError: "noOpinion" | "deny";
  /** Expressions that a request must meet to be asked about. */
  readonly matchConditions: readonly CompiledExpression[];
}

/** Durations in milliseconds that apply where the configuration states none. */
export const webhookDefaults = { authorizedTtlMs: 5 * 60_000, unauthorizedTtlMs: 30_000, timeoutMs: 30_000 } as const;

/** Flags that a configuration file replaces. */
const replacedFlags = [
  "authorization-webhook-config-file",
  "authorization-webhook-version",
  "authorization-webhook-cache-authorized-ttl",
  "authorization-webhook-cache-unauthorized-ttl",
] as const;

/** Checks the flags of authorization as a whole. */
export function resolveAuthorization(
  flags: AuthorizationFlagValues,
  features: FeatureGates,
  problems: Problem[],
): AuthorizationConfig {
  const configFile = flags["authorization-config"];
  if (configFile !== undefined) {
    validateConfigFlag(flags, features, problems);
    return { configFile, policyFile: flags["authorization-policy-file"] };
  }
  const modes = modesOf(flags);
  validateModes(modes, flags, problems);
  return { authorizers: modes.map((mode) => authorizerOf(mode, flags)) };
}

/** Returns the modes that the flags name. */
export function modesOf(flags: AuthorizationFlagValues): readonly AuthorizationMode[] {
  const given = flags["authorization-mode"];
  return given.length === 0 && flags["authorization-config"] === undefined ? ["AlwaysAllow"] : given;
}

function validateConfigFlag(flags: AuthorizationFlagValues, features: FeatureGates, problems: Problem[]): void {
  const report = (text: string): void => void problems.push(problemAt("--authorization-config", text));
  if (!features.enabled("StructuredAuthorizationConfiguration")) {
    report("cannot be used without enabling StructuredAuthorizationConfiguration feature flag");
  }
  if (flags["authorization-mode"].length > 0 || replacedFlags.some((flag) => flags[flag] !== undefined)) {
    report("can not be specified when --authorization-mode or --authorization-webhook-* flags are defined");
  }
}

function validateModes(modes: readonly AuthorizationMode[], flags: AuthorizationFlagValues, problems: Problem[]): void {
  const policyFile = flags["authorization-policy-file"];
  const webhookFile = flags["authorization-webhook-config-file"];
  const report = (text: string): void => void problems.push(problemAt("--authorization-mode", text));
  if (new Set(modes).size < modes.length) {
    report(`[${modes.map((mode) => JSON.stringify(mode)).join(" ")}] has mode specified more than once`);
  }
  if (modes.includes("ABAC") && policyFile === undefined) {
    report("ABAC's authorization policy file not passed");
  }
  if (modes.includes("Webhook") && webhookFile === undefined) {
    report("Webhook's authorization config file not passed");
  }
  if (!modes.includes("ABAC") && policyFile !== undefined) {
    problems.push(problemAt("--authorization-policy-file", "cannot be specified without mode ABAC"));
  }
  if (!modes.includes("Webhook") && webhookFile !== undefined) {
    problems.push(problemAt("--authorization-webhook-config-file", "cannot be specified without mode Webhook"));
  }
  const version = flags["authorization-webhook-version"];
  if (version !== undefined && version !== "v1" && version !== "v1beta1") {
    const text = `unsupported webhook authorizer version ${JSON.stringify(version)}, supported versions are "v1", "v1beta1"`;
    problems.push(problemAt("--authorization-webhook-version", text));
  }
}

function authorizerOf(mode: AuthorizationMode, flags: AuthorizationFlagValues): AuthorizerConfig {
  switch (mode) {
    case "ABAC":
      return { type: mode, policyFile: flags["authorization-policy-file"] ?? "" };
    case "Webhook":
      return {
        type: mode,
        name: "default",
        kubeconfigFile: flags["authorization-webhook-config-file"] ?? "",
        version: flags["authorization-webhook-version"] === "v1" ? "v1" : "v1beta1",
        authorizedTtlMs: flags["authorization-webhook-cache-authorized-ttl"] ?? webhookDefaults.authorizedTtlMs,
        unauthorizedTtlMs: flags["authorization-webhook-cache-unauthorized-ttl"] ?? webhookDefaults.unauthorizedTtlMs,
        timeoutMs: webhookDefaults.timeoutMs,
        decisionOnError: "noOpinion",
        matchConditions: [],
      };
    default:
      return { type: mode };
  }
}
