import type { Authorizer } from "@gatehouse/apiserver/authorization";
import { RbacRules } from "@gatehouse/apiserver/authorization";
import { metaOf } from "@gatehouse/apiserver/objects";
import type { CatalogueSource, Privileges } from "@gatehouse/apiserver/registry";
import type { MetricsRegistry } from "@gatehouse/component-base";
import type { JsonObject } from "@gatehouse/envelopes";
import { type PolicyRule, policyRulesOf } from "@gatehouse/policies";
import { bootstrapPolicy } from "../controllers/bootstrap-roles/bootstrap-policy.js";
import { selectControllers } from "../options/controller-selection.js";
import type { ServerConfig } from "../options/server-config.js";
import { askAuthorizer } from "./ask-authorizer.js";
import { followObjects } from "./follow-objects.js";
import { openAuthorizer } from "./open-authorizer.js";

/** Who decides what users may do, and how others ask. */
export interface AuthorizationPart {
  readonly authorizer: Required<Authorizer>;
  readonly privileges: Privileges;
  /** Roles and bindings that every cluster has; undefined where nobody decides by them: then none are made, as in v1.29. */
  readonly bootstrapRoles: BootstrapRoles | undefined;
}

/** Where the making of the first roles and bindings stands. */
export interface BootstrapRoles {
  /** Whether they are there, or nobody makes them. */
  readonly areReady: () => boolean;
  /** For the controller that makes them. */
  readonly onReady: () => void;
}

/** What authorization rests on. */
export interface AuthorizationPartOptions {
  readonly config: ServerConfig;
  readonly catalogues: CatalogueSource;
  readonly registry: MetricsRegistry;
  /** Aborts when the server stops. */
  readonly signal: AbortSignal;
  readonly reportFault: (error: unknown) => void;
}

/** Opens the authorizers. Resolves when they know what they decide by. */
export async function openAuthorizationPart(options: AuthorizationPartOptions): Promise<AuthorizationPart> {
  const { config, catalogues, signal, reportFault } = options;
  const objects = followObjects(catalogues, signal, reportFault);
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

/** Only then there is time to learn of the roles that are in namespaces. */
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

/** A role that every cluster has, as it is at first: what somebody makes of it later is not for nodes. */
function clusterRole(name: string, { featureGates }: ServerConfig): JsonObject | undefined {
  return bootstrapPolicy(featureGates).clusterRoles.find((role) => metaOf(role).name === name);
}
