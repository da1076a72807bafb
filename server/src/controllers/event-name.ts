import { randomUUID } from "node:crypto";
import { validateDns1123Subdomain } from "@gatehouse/envelopes/validation";

/**
 * Returns the name of an event about an object: that of the object with the time. An IPv6 address, which is a name, is no part
 * of that of an event: v1.29 loses those events, later releases name them at random.
 */
export function eventName(name: string, nanoseconds: bigint): string {
  const timed = `${name}.${nanoseconds.toString(16)}`;
  return validateDns1123Subdomain(timed).length === 0 ? timed : randomUUID();
}
