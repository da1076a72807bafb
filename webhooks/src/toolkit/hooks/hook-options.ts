import type { metaV1 } from "@gatehouse/envelopes/types";
import type { Handler } from "../handlers/handler.js";
import type { ReadableResource } from "../lookup/readable-resource.js";

/** Operations on resources about which a hook is asked. `*` stands for all, and then alone. */
export interface HookRule {
  readonly operations: readonly ("CREATE" | "UPDATE" | "DELETE" | "CONNECT" | "*")[];
  /** The core group is the empty text. */
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  /** Plural names, `pods`, or with a subresource, `pods/status`. */
  readonly resources: readonly string[];
  /** Default `*`. */
  readonly scope?: "Cluster" | "Namespaced" | "*";
}

/** What is said of a hook of either type. The defaults are the API's, but for `sideEffects`, which has none there. */
export interface HookOptions {
  /** A domain name of at least three parts: `no-latest-tag.example.com`. Clients see it in denials. */
  readonly name: string;
  readonly handler: Handler;
  /** Required unless `workloads` is true. */
  readonly rules?: readonly HookRule[];
  /**
   * The handler is about pods: it is asked about pods that are created, and about the pod templates of everything that
   * makes pods, as if each were a pod. What it changes is changed in the template. Default false.
   */
  readonly workloads?: boolean;
  /** What a server does when the hook fails to decide or cannot be reached. Default `Fail`: it refuses the request. */
  readonly failurePolicy?: "Fail" | "Ignore";
  /** Whether a call leaves anything behind, beside its answer. Default `None`. */
  readonly sideEffects?: "None" | "NoneOnDryRun";
  /** Whether other versions of a resource match its rule, converted. Default `Equivalent`. */
  readonly matchPolicy?: "Exact" | "Equivalent";
  readonly namespaceSelector?: metaV1.LabelSelector;
  readonly objectSelector?: metaV1.LabelSelector;
  /** Seconds, 1 to 30, that a server waits. Default 10. */
  readonly timeoutSeconds?: number;
  /** Resources that the handler reads through `lookup`. The server watches them, and RBAC for that can be generated. */
  readonly reads?: readonly ReadableResource<unknown>[];
}

/** What is said of a hook that may change objects. */
export interface MutatingHookOptions extends HookOptions {
  /** Whether to ask again when a later hook has changed the object. Default `Never`. */
  readonly reinvocationPolicy?: "Never" | "IfNeeded";
}
