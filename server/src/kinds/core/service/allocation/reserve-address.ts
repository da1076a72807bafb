import { type AddressRange, addressText, ipText, numberOfAddress, parseIp } from "@gatehouse/apiserver/options";
import { internalError } from "@gatehouse/envelopes/status";
import { invalidAddresses, invalidService } from "./field-errors.js";
import type { RangeEdit } from "./range-allocator.js";

/** The address that a service requests, and the range. */
export interface ReserveAddressOptions {
  /** The name of the service. */
  readonly name: string;
  /** The addresses of the service as the error shows them; empty ones are still to be allocated. */
  readonly addresses: readonly string[];
  /** The requested address; empty for any. */
  readonly requested: string;
  readonly range: AddressRange;
  /** True to validate only that the address lies in the range, as v1.29 does for a dry run. */
  readonly dryRun: boolean;
}

/** Takes an address of a service from the range, and returns it. Throws 422 when the requested one is unavailable. */
export function reserveAddress(edit: RangeEdit, options: ReserveAddressOptions): string {
  const { requested, range } = options;
  if (requested === "") {
    const number = edit.allocateNext();
    if (number === undefined) {
      throw internalError("failed to allocate a serviceIP: range is full");
    }
    return addressText(range, number);
  }
  const refusal = refusalOf(edit, options);
  if (refusal !== undefined) {
    throw invalidService(options.name, [
      invalidAddresses("spec.clusterIPs", options.addresses, `failed to allocate IP ${requested}: ${refusal}`),
    ]);
  }
  return requested;
}

/** A number that no range has. */
const outsideOfRanges = -1;

function refusalOf(edit: RangeEdit, { requested, range, dryRun }: ReserveAddressOptions): string | undefined {
  const number = numberOfAddress(range, requested);
  const inDryRun = number === undefined ? "outside" : "allocated";
  const outcome = dryRun ? inDryRun : edit.allocate(number ?? outsideOfRanges);
  if (outcome === "outside") {
    const address = parseIp(requested);
    const shown = address === undefined ? requested : ipText(address);
    return `the provided IP (${shown}) is not in the valid range. The range of valid IPs is ${range.text}`;
  }
  return outcome === "allocated" ? undefined : "provided IP is already allocated";
}
