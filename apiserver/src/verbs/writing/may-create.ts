import { forbidden, StatusError } from "@gatehouse/envelopes/status";
import type { OperationScope } from "../request-scope.js";

/** Checks that the author of an update or apply that makes an object may create it, too. */
export async function requireCreate({ environment, caller, served }: OperationScope): Promise<void> {
  const { user, info } = caller;
  const { group, version, resource } = served;
  const { namespace, name } = info;
  const access = { user, verb: "create", group, version, resource, namespace, name };
  const { isAllowed, reason } = await asking(async () => environment.privileges.mayDo(access));
  if (!isAllowed) {
    throw forbidden({ group, resource }, name, reason);
  }
}

async function asking<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new StatusError(500, "InternalError", `Internal error occurred: ${cause}`, { causes: [{ message: cause }] });
  }
}
