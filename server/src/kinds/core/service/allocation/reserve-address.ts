import { ipv4Text, type NumberRange, parseIPv4 } from "@gatehouse/apiserver/options";
import { internalError } from "@gatehouse/envelopes/status";
import { invalidAddresses, invalidService } from "./field-errors.js";
import type { RangeEdit } from "./range-allocator.js";

/** The address that a service requests, and the range. */
export interface ReserveAddressOptions {
  /** The name of the service. */
  readonly name: string;
  /** The addresses that the service requests; empty for any. */
  readonly asked: readonly string[];
  readonly range: NumberRange;
  /** True to validate only that the address lies in the range, as v1.29 does for a dry run. */
  readonly dryRun: boolean;
}

/** Takes the address of a service from the range. Throws 422 when the requested one is unavailable. */
export function reserveAddress(edit: RangeEdit, options: ReserveAddressOptions): number {
  const text = options.asked[0];
  if (text === undefined) {
    const address = edit.allocateNext();
    if (address === undefined) {
      throw internalError("failed to allocate a serviceIP: range is full");
    }
    return address;
  }
  const address = parseIPv4(text);
  if (address === undefined) {
    throw internalError(`failed to parse service IP ${JSON.stringify(text)}`);
  }
  const refusal = refusalOf(edit, address, options);
  if (refusal !== undefined) {
    throw invalidService(options.name, [
      invalidAddresses("spec.clusterIPs", options.asked, `failed to allocate IP ${text}: ${refusal}`),
    ]);
  }
  return address;
}

function refusalOf(edit: RangeEdit, address: number, { range, dryRun }: ReserveAddressOptions): string | undefined {
  if (address < range.first || address >= range.first + range.size) {
    return `the provided IP (${ipv4Text(address)}) is not in the valid range. The range of valid IPs is ${range.text}`;
  }
  return dryRun || edit.allocate(address) === "allocated" ? undefined : "provided IP is already allocated";
}
