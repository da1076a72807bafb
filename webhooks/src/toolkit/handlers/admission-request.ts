import type { JsonObject } from "@gatehouse/envelopes/json";
import type { authenticationV1, metaV1 } from "@gatehouse/envelopes/types";

/** Operation of a request. A patch that creates an object is a CREATE, any other an UPDATE. */
export type Operation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

interface RequestFacts {
  /** Identifier of this call, not of the user's request; for the log. */
  readonly uid: string;
  /** Kind of the objects in this request, perhaps converted to match the rules of the hook. */
  readonly kind: metaV1.GroupVersionKind;
  readonly resource: metaV1.GroupVersionResource;
  /** Name of the subresource (`status`, `scale`); empty for the object itself. */
  readonly subResource: string;
  /** Kind that the client has used, before it was converted to `kind`. */
  readonly requestKind: metaV1.GroupVersionKind;
  readonly requestResource: metaV1.GroupVersionResource;
  readonly requestSubResource: string;
  /**
   * Name of the object; empty while the server has not generated it (`generateName`), and when a collection is deleted.
   */
  readonly name: string;
  /** Namespace of the object; empty for cluster-scoped resources. */
  readonly namespace: string;
  /** User that has made the request. */
  readonly userInfo: authenticationV1.UserInfo;
  /** True if nothing will be stored. A hook must then have no lasting effect. */
  readonly dryRun: boolean;
}

/**
 * A request to decide on, as an API server sends it. `T` is the assumed type of its objects: the rules of a hook
 * determine which kinds are sent, nothing here checks it. Objects are shared with other hooks and must not be changed.
 */
export type AdmissionRequest<T = JsonObject> = RequestFacts &
  (
    | {
        readonly operation: "CREATE";
        /** The object as it would be stored. */
        readonly object: T;
        readonly oldObject: undefined;
        readonly options: metaV1.CreateOptions | metaV1.PatchOptions | undefined;
      }
    | {
        readonly operation: "UPDATE";
        readonly object: T;
        /** The object as it is stored now. */
        readonly oldObject: T;
        readonly options: metaV1.UpdateOptions | metaV1.PatchOptions | undefined;
      }
    | {
        readonly operation: "DELETE";
        readonly object: undefined;
        readonly oldObject: T;
        readonly options: metaV1.DeleteOptions | undefined;
      }
    | {
        readonly operation: "CONNECT";
        /** The options of the connection: PodExecOptions, PodAttachOptions and others. */
        readonly object: T;
        readonly oldObject: undefined;
        readonly options: undefined;
      }
  );
