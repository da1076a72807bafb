import type { GroupResource } from "@gatehouse/envelopes";
import type { MaybePromise } from "../request/handler.js";
import type { UserInfo } from "../request/user-info.js";

/** Asks the authorizer, whatever it is. Rejects when it fails. */
export type MayDo = (access: Access) => MaybePromise<{ readonly isAllowed: boolean; readonly reason: string }>;

/** Something that a user may or may not do. */
export interface Access extends GroupResource {
  readonly user: UserInfo;
  readonly verb: string;
  /** Any version when absent. */
  readonly version?: string;
  readonly subresource?: string;
  /** Empty for objects that are in none. */
  readonly namespace?: string;
  /** Empty for all of them. */
  readonly name?: string;
}
