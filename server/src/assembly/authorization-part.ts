import { type Authorizer, RbacRules } from "@gatehouse/apiserver/authorization";
import { metaOf } from "@gatehouse/apiserver/objects";
import type { ServerParts } from "@gatehouse/apiserver/server";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { type PolicyRule, policyRulesOf, type RbacIndex } from "@gatehouse/policies/rbac";
import { bootstrapPolicy } from "../controllers/bootstrap-roles/bootstrap-policy.js";
import { selectControllers } from "../options/controller-selection.js";
import type { ServerConfig } from "../options/server-config.js";
import { type AuthorizerParts, openAuthorizers } from "./open-authorizers.js";

/** The authorizers of the server, and the roles that they know. */
export interface AuthorizationPart {
  /** Opens the authorizers. Resolves when they have read their policies. */
  readonly open: () => Promise<readonly Authorizer[]>;
  /** Returns the roles and bindings of this server, also where RBAC is not an authorization mode. */
  readonly rbac: () => Promise<RbacIndex>;
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

/** Prepares the authorizers, and the index of roles that other parts share with them. */
export function openAuthorizationPart(
  config: ServerConfig,
  server: ServerParts,
  environment: AuthorizerParts["environment"],
): AuthorizationPart {
  const { objectSource: objects, metrics: registry, signal, reportFault } = server;
  const rbacRules = new RbacRules(objects, reportFault);
  const nodeRules = (): readonly PolicyRule[] => policyRulesOf(clusterRole("system:node", config));
  const isDecidedByRoles =
    !("authorizers" in config.authorization) || config.authorization.authorizers.some(({ type }) => type === "RBAC");
  return {
    open: () =>
      openAuthorizers(config.authorization, {
        objects,
        nodeRules,
        rbacRules,
        registry,
        environment,
        now: () => performance.now(),
        signal,
      }),
    rbac: () => rbacRules.ready(),
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
