import type { RbacIndex } from "@gatehouse/policies/rbac";
import type { MayDo } from "../admission/may-do.js";
import type { ObjectAccess } from "../admission/object-access.js";

/** The questions that a kind may ask about the rights of users, for kinds that grant rights. */
export interface Privileges {
  /** Asks the authorizer, whichever mode it has. */
  readonly mayDo: MayDo;
  /** Returns the roles and bindings of this server, also where RBAC is not an authorization mode. */
  readonly rbac: () => Promise<RbacIndex>;
  /** The other objects of this server, for kinds whose objects refer to them. */
  readonly objects: Pick<ObjectAccess, "findKind" | "reader">;
}
