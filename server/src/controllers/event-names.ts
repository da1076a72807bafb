import { randomUUID } from "node:crypto";
import { validateDns1123Subdomain } from "@gatehouse/envelopes/validation";

/** Names for the events of a recorder. */
export class EventNames {
  #lastNanoseconds = 0n;

  /**
   * Returns the name of an event about an object: that of the object with a time, later than the one before, so that two events
   * of one moment have two names. An IPv6 address, which is a name, is no part of that of an event: v1.29 loses those
   * events, later releases name them at random.
   */
  next(objectName: string, nowMs: number): string {
    const time = BigInt(nowMs) * 1_000_000n;
    this.#lastNanoseconds = time > this.#lastNanoseconds ? time : this.#lastNanoseconds + 1n;
    const timed = `${objectName}.${this.#lastNanoseconds.toString(16)}`;
    return validateDns1123Subdomain(timed).length === 0 ? timed : randomUUID();
  }
}
