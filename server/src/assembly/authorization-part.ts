import { type Authorizer, RbacRules } from "@gatehouse/apiserver/authorization";
import { metaOf } from "@gatehouse/apiserver/objects";
import type { Privileges, RegistrySource } from "@gatehouse/apiserver/registry";
import type { MetricsRegistry } from "@gatehouse/component-base/metrics";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { type PolicyRule, policyRulesOf } from "@gatehouse/policies/rbac";
import { bootstrapPolicy } from "../controllers/bootstrap-roles/bootstrap-policy.js";
import { selectControllers } from "../options/controller-selection.js";
import type { ServerConfig } from "../options/server-config.js";
import { askAuthorizer } from "./ask-authorizer.js";
import { followObjects } from "./follow-objects.js";
import { openAuthorizer } from "./open-authorizer.js";

/** The authorizer of the server, and the ways in which other parts ask it. */
export interface AuthorizationPart {
  readonly authorizer: Required<Authorizer>;
  readonly privileges: Privileges;
  /**
   * The progress of the roles and bindings that every cluster has; undefined without RBAC: then none are made, as in
   * v1.29.
   */
  readonly bootstrapRoles: BootstrapRoles | undefined;
}

/** The progress of making the first roles and bindings. */
export interface BootstrapRoles {
  /** Reports whether they exist, or no controller makes them. */
  readonly areReady: () => boolean;
  /** Called by the controller when they exist. */
  readonly onReady: () => void;
}

/** The dependencies of authorization. */
export interface AuthorizationPartOptions {
  readonly config: ServerConfig;
  readonly liveRegistry: RegistrySource;
  readonly registry: MetricsRegistry;
  /** The signal that aborts when the server stops. */
  readonly signal: AbortSignal;
  readonly reportFault: (error: unknown) => void;
}

/** Opens the authorizers. Resolves when they have read their policies. */
export async function openAuthorizationPart(options: AuthorizationPartOptions): Promise<AuthorizationPart> {
  const { config, liveRegistry, signal, reportFault } = options;
  const objects = followObjects(liveRegistry, signal, reportFault);
  const rbacRules = new RbacRules(objects, reportFault);
  const nodeRules = (): readonly PolicyRule[] => policyRulesOf(clusterRole("system:node", config));
  const authorizer = await openAuthorizer(config.authorization, {
    objects,
    nodeRules,
    rbacRules,
    registry: options.registry,
    now: () => performance.now(),
    signal,
  });
  const isDecidedByRoles =
    !("authorizers" in config.authorization) || config.authorization.authorizers.some(({ type }) => type === "RBAC");
  return {
    authorizer,
    privileges: { mayDo: askAuthorizer(authorizer), rbac: () => rbacRules.ready() },
    bootstrapRoles: isDecidedByRoles ? followBootstrapRoles(config, () => rbacRules.learn()) : undefined,
  };
}

/** Tracks the first roles and bindings. The roles in namespaces are learned afterwards, when there is time for them. */
function followBootstrapRoles({ controllers }: ServerConfig, learn: () => void): BootstrapRoles {
  let areReady = !selectControllers(controllers).includes("bootstrap-roles");
  return {
    areReady: () => areReady,
    onReady() {
      areReady = true;
      learn();
    },
  };
}

/** Returns a role that every cluster has, in its first form: later changes do not apply to nodes. */
function clusterRole(name: string, { featureGates }: ServerConfig): JsonObject | undefined {
  return bootstrapPolicy(featureGates).clusterRoles.find((role) => metaOf(role).name === name);
}
