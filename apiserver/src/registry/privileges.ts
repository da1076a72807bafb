import type { RbacIndex } from "@gatehouse/policies";
import type { MayDo } from "../admission/may-do.js";

/** What a kind may ask about what users may do: some kinds hand out rights. */
export interface Privileges {
  /** Asks the authorizer, whatever it is. */
  readonly mayDo: MayDo;
  /** The roles and bindings of this server, whether they decide anything or not. */
  readonly rbac: () => Promise<RbacIndex>;
}
