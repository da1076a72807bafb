import type { metaV1 } from "@gatehouse/envelopes/types";
import type { Handler } from "../handlers/handler.js";
import type { ReadableResource } from "../lookup/readable-resource.js";

/** Operations on resources about which a hook is asked. `*` stands for all, and must be the only item of its list. */
export interface HookRule {
  readonly operations: readonly ("CREATE" | "UPDATE" | "DELETE" | "CONNECT" | "*")[];
  /** Names of API groups; the empty text is the core group. */
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  /** Plural names of resources, `pods`, perhaps with a subresource, `pods/status`. */
  readonly resources: readonly string[];
  /** Scope of the resources. Default `*`. */
  readonly scope?: "Cluster" | "Namespaced" | "*";
}

/** A condition that requests meet about which a hook is asked. */
export interface HookMatchCondition {
  /** Name of the condition, unique among those of the hook. Servers show it in errors. */
  readonly name: string;
  /** CEL expression of type bool, with the variables `object`, `oldObject`, `request` and `authorizer`. */
  readonly expression: string;
}

/**
 * Options of a hook of either type. The defaults are those of the API, except that of `sideEffects`, which has none
 * there.
 */
export interface HookOptions {
  /**
   * Name of the hook, a domain name of at least three parts: `no-latest-tag.example.com`. Clients see it in denials.
   */
  readonly name: string;
  readonly handler: Handler;
  /** Rules of the requests to be asked about. Required unless `workloads` is true. */
  readonly rules?: readonly HookRule[];
  /**
   * True if the handler is about pods: it is asked about created pods, and about the pod templates of all built-in
   * workloads, as if each were a pod. Its changes are made in the template. Default false.
   */
  readonly workloads?: boolean;
  /** Effect of a hook that fails to decide or cannot be reached. Default `Fail`: the server refuses the request. */
  readonly failurePolicy?: "Fail" | "Ignore";
  /** Side effects of a call beside its answer. Default `None`. */
  readonly sideEffects?: "None" | "NoneOnDryRun";
  /** Policy for other versions of a resource: with `Equivalent`, the default, they match its rule and are converted. */
  readonly matchPolicy?: "Exact" | "Equivalent";
  readonly namespaceSelector?: metaV1.LabelSelector;
  readonly objectSelector?: metaV1.LabelSelector;
  /**
   * Conditions that the server evaluates before it calls the hook, 64 at most. A request for which one is false is not
   * sent; one for which none is false and some fail is treated as `failurePolicy` says. Default: none.
   */
  readonly matchConditions?: readonly HookMatchCondition[];
  /** Seconds that a server waits, 1 to 30. Default 10. */
  readonly timeoutSeconds?: number;
  /** Resources that the handler reads through `lookup`, which watches them; `rbacFor()` makes the role for that. */
  readonly reads?: readonly ReadableResource<unknown>[];
}

/** Options of a hook that may change objects. */
export interface MutatingHookOptions extends HookOptions {
  /** Policy for objects that a later hook has changed: `IfNeeded` to be asked again. Default `Never`. */
  readonly reinvocationPolicy?: "Never" | "IfNeeded";
}
