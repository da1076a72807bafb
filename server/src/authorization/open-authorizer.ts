import {
  type ClientConfig,
  ConfigurationError,
  loadKubeconfig,
  type MetricsRegistry,
  problemAt,
} from "@gatehouse/component-base";
import type { PolicyRule } from "@gatehouse/policies";
import type { AuthorizationConfig, AuthorizerConfig } from "../config/authorization.js";
import { abacAuthorizer } from "./abac/abac-authorizer.js";
import { alwaysAllow, alwaysDeny } from "./always.js";
import { readAuthorizationConfiguration } from "./authorization-configuration.js";
import type { Authorizer } from "./authorizer.js";
import { nodeAuthorizer } from "./node/node-authorizer.js";
import { nodeGraphMetrics } from "./node/node-graph-metrics.js";
import type { ObjectSource } from "./object-source.js";
import { mastersGroup, privilegedGroups } from "./privileged-groups.js";
import { rbacAuthorizer } from "./rbac/rbac-authorizer.js";
import type { RbacRules } from "./rbac/rbac-rules.js";
import { unionAuthorizer } from "./union-authorizer.js";
import { webhookAuthorizer } from "./webhook/webhook-authorizer.js";

/** Dependencies of the authorizers. */
export interface AuthorizerParts {
  readonly objects: ObjectSource;
  /** Returns the rules of every node. */
  readonly nodeRules: () => readonly PolicyRule[];
  readonly rbacRules: RbacRules;
  readonly registry: MetricsRegistry;
  /** Returns the time in milliseconds, on any clock. */
  readonly now: () => number;
  /** The signal that aborts when the server stops. */
  readonly signal: AbortSignal;
}

/**
 * Opens the configured authorizer: system:masters may do everything, then the modes decide in their order. Resolves
 * when all of them have their data. Rejects with a ConfigurationError when a file is unusable.
 */
export async function openAuthorizer(
  config: AuthorizationConfig,
  parts: AuthorizerParts,
): Promise<Required<Authorizer>> {
  const authorizers =
    "configFile" in config
      ? await readAuthorizationConfiguration(config.configFile, config.policyFile)
      : config.authorizers;
  const opened = await Promise.all(authorizers.map((authorizer) => openOne(authorizer, parts)));
  return unionAuthorizer([privilegedGroups([mastersGroup]), ...opened]);
}

async function openOne(config: AuthorizerConfig, parts: AuthorizerParts): Promise<Authorizer> {
  switch (config.type) {
    case "AlwaysAllow":
      return alwaysAllow;
    case "AlwaysDeny":
      return alwaysDeny;
    case "ABAC":
      return abacAuthorizer(config.policyFile);
    case "Node":
      return nodeAuthorizer(parts.objects, parts.nodeRules(), nodeGraphMetrics(parts.registry));
    case "RBAC":
      await parts.rbacRules.open();
      return rbacAuthorizer(parts.rbacRules);
    case "Webhook":
      return webhookAuthorizer({ ...config, ...parts, client: await clientOf(config.kubeconfigFile) });
  }
}

async function clientOf(kubeconfigFile: string): Promise<ClientConfig> {
  try {
    return await loadKubeconfig(kubeconfigFile);
  } catch (error) {
    if (error instanceof ConfigurationError) {
      throw error;
    }
    const cause = error instanceof Error ? error.message : "cannot be read";
    throw new ConfigurationError(kubeconfigFile, [problemAt("kubeconfig", cause)]);
  }
}
