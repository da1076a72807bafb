import { metaOf } from "@gatehouse/apiserver/objects";
import { type AddressRange, addressText, ipText, numberOfAddress, parseIp } from "@gatehouse/apiserver/options";
import { internalError, type StatusError } from "@gatehouse/envelopes/status";
import type { AddressRequest } from "./address-pool.js";
import { invalidAddresses, invalidService } from "./field-errors.js";
import type { RangeEdit } from "./range-allocator.js";

/** The address that a service requests, and the range. */
export interface ReserveAddressOptions extends AddressRequest {
  readonly range: AddressRange;
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
    throw refusedAddress(options, refusal);
  }
  return requested;
}

/** Returns the 422 for an address that a service has asked for and cannot have. */
export function refusedAddress(
  { service, addresses, requested }: Pick<AddressRequest, "service" | "addresses" | "requested">,
  refusal: string,
): StatusError {
  return invalidService(metaOf(service).name ?? "", [
    invalidAddresses("spec.clusterIPs", addresses, `failed to allocate IP ${requested}: ${refusal}`),
  ]);
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
