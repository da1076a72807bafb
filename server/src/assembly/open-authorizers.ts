import {
  type Authorizer,
  abacAuthorizer,
  alwaysAllow,
  alwaysDeny,
  type ObjectSource,
  type RbacRules,
  rbacAuthorizer,
  readAuthorizationConfiguration,
  webhookAuthorizer,
} from "@gatehouse/apiserver/authorization";
import type { AuthorizationConfig, AuthorizerConfig } from "@gatehouse/apiserver/options";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { type ClientConfig, inClusterConfig, loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import type { MetricsRegistry } from "@gatehouse/component-base/metrics";
import { problemAt } from "@gatehouse/component-base/problems";
import type { PolicyRule } from "@gatehouse/policies/rbac";
import { nodeAuthorizer } from "../node-authorization/node-authorizer.js";
import { nodeGraphMetrics } from "../node-authorization/node-graph-metrics.js";

/** Dependencies of the authorizers. */
export interface AuthorizerParts {
  readonly objects: ObjectSource;
  /** Returns the rules of every node. */
  readonly nodeRules: () => readonly PolicyRule[];
  readonly rbacRules: RbacRules;
  readonly registry: MetricsRegistry;
  /** Variables of the environment, which tell a server in a pod where the API server of its cluster is. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Returns the time in milliseconds, on any clock. */
  readonly now: () => number;
  /** The signal that aborts when the server stops. */
  readonly signal: AbortSignal;
}

/**
 * Opens the configured authorizers, in their order. Resolves when all of them have their data. Rejects with a
 * ConfigurationError when a file is unusable.
 */
export async function openAuthorizers(
  config: AuthorizationConfig,
  parts: AuthorizerParts,
): Promise<readonly Authorizer[]> {
  const authorizers =
    "configFile" in config
      ? await readAuthorizationConfiguration(config.configFile, config.policyFile)
      : config.authorizers;
  return Promise.all(authorizers.map((authorizer) => openOne(authorizer, parts)));
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
      return webhookAuthorizer({
        ...config,
        ...parts,
        client: await clientOf(config.kubeconfigFile, parts.environment),
      });
  }
}

async function clientOf(
  kubeconfigFile: string | undefined,
  environment: AuthorizerParts["environment"],
): Promise<ClientConfig> {
  if (kubeconfigFile === undefined) {
    return inClusterConfig(environment);
  }
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
