import type { JsonObject } from "@gatehouse/envelopes/json";
import type { authenticationV1, metaV1 } from "@gatehouse/envelopes/types";

/** What is being done. A patch that makes an object is a CREATE, any other an UPDATE. */
export type Operation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

interface RequestFacts {
  /** Of this call, not of the user's request; for the log. */
  readonly uid: string;
  /** Kind, and resource, of the objects in this request, perhaps converted to suit the rules of the hook. */
  readonly kind: metaV1.GroupVersionKind;
  readonly resource: metaV1.GroupVersionResource;
  /** `status`, `scale`; empty for the object itself. */
  readonly subResource: string;
  /** What the client has used: the same as the above but for conversion. */
  readonly requestKind: metaV1.GroupVersionKind;
  readonly requestResource: metaV1.GroupVersionResource;
  readonly requestSubResource: string;
  /** Empty while the server has still to make it up (`generateName`), and when a collection is deleted. */
  readonly name: string;
  /** Empty for what belongs to no namespace. */
  readonly namespace: string;
  /** Who asks. */
  readonly userInfo: authenticationV1.UserInfo;
  /** Nothing will be stored. A hook must then do nothing that lasts. */
  readonly dryRun: boolean;
}

/**
 * A request to be judged, as an API server tells it. `T` is what its objects are taken to be: the rules of a hook say
 * which kinds come, nothing here checks it. Objects are the server's own and must not be changed.
 */
export type AdmissionRequest<T = JsonObject> = RequestFacts &
  (
    | {
        readonly operation: "CREATE";
        /** As it would be stored. */
        readonly object: T;
        readonly oldObject: undefined;
        readonly options: metaV1.CreateOptions | metaV1.PatchOptions | undefined;
      }
    | {
        readonly operation: "UPDATE";
        readonly object: T;
        /** As it is stored now. */
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
        /** The options of the connection: PodExecOptions, PodAttachOptions, ... */
        readonly object: T;
        readonly oldObject: undefined;
        readonly options: undefined;
      }
  );
