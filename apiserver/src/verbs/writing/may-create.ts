import { forbidden, StatusError } from "@gatehouse/envelopes/status";
import type { ServedResource } from "../../registry/served-resource.js";
import type { Caller } from "../../request/caller.js";
import type { VerbEnvironment } from "../verb-environment.js";

/** Checks that the author of an update or apply that makes an object may create it, too. */
export async function requireCreate(
  { privileges }: VerbEnvironment,
  { user, info }: Caller,
  { group, version, resource }: ServedResource,
): Promise<void> {
  const { namespace, name } = info;
  const access = { user, verb: "create", group, version, resource, namespace, name };
  const { isAllowed, reason } = await asking(async () => privileges.mayDo(access));
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
