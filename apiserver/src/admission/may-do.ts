import type { GroupResource } from "@gatehouse/envelopes/status";
import type { MaybePromise } from "../request/handler.js";
import type { UserInfo } from "../request/user-info.js";

/** Asks the authorizer, whatever it is. Rejects when it fails. */
export type MayDo = (access: Access) => MaybePromise<{ readonly isAllowed: boolean; readonly reason: string }>;

/** An action of a user that an authorizer is asked about. */
export interface Access extends GroupResource {
  readonly user: UserInfo;
  readonly verb: string;
  /** The API version; absent for any. */
  readonly version?: string;
  readonly subresource?: string;
  /** The namespace; empty or absent for cluster-scoped objects. */
  readonly namespace?: string;
  /** The name of the object; empty or absent for all objects. */
  readonly name?: string;
}
