import { type AddressRange, addressRange, type Cidr, ipFamilyOf, parseCidr } from "@gatehouse/apiserver/options";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import type { ServerFlagValues } from "../flags.js";

/** The ranges of the cluster addresses of services: the primary one, and one of the other family or none. */
export type ServiceRanges = readonly [AddressRange, ...AddressRange[]];

const flag = "--service-cluster-ip-range";

/** The range of an empty `--service-cluster-ip-range`, which is its default in v1.29. */
const defaultRange = "10.0.0.0/24";

/** The logarithm of the size of the largest network that v1.29 accepts: its taken addresses are stored as a bitmap. */
const maxHostBits = 20;

/** Number of addresses that the primary range has at least, as in v1.29. */
const minAddresses = 8;

/**
 * Parses and checks the ranges of services, and that the kubernetes Service and its endpoints are of one family. Only ranges
 * whose taken addresses are kept as a bitmap are limited in size.
 */
export function resolveServiceRanges(
  flags: ServerFlagValues,
  keepsBitmaps: boolean,
  problems: Problem[],
): ServiceRanges | undefined {
  const texts = (flags["service-cluster-ip-range"] || defaultRange).split(",");
  const networks = texts.slice(0, 2).map(parseCidr);
  const [primary, secondary] = networks;
  const refuse = (detail: string): void => void problems.push(problemAt(flag, detail));
  if (primary === undefined) {
    refuse("service-cluster-ip-range[0] is not a valid cidr");
    return undefined;
  }
  if (networks.length > 1 && secondary === undefined) {
    refuse("service-cluster-ip-range[1] is not an ip net");
    return undefined;
  }
  if (texts.length > 2) {
    refuse(`${flag} must not contain more than two entries`);
  }
  const range = addressRange(primary);
  if (hostBitsOf(primary) < Math.log2(minAddresses)) {
    refuse(
      `error determining service IP ranges for primary service cidr: the service cluster IP range must be at least ${minAddresses} IP addresses`,
    );
  }
  const refuseIfTooLarge = (network: Cidr, name: string): void => {
    if (keepsBitmaps) {
      refuseTooLarge(network, name, refuse);
    }
  };
  refuseIfTooLarge(primary, flag);
  checkAdvertisedFamily(flags, range, problems);
  if (secondary === undefined) {
    return [range];
  }
  if (primary.family === secondary.family) {
    refuse(`${flag}[0] and ${flag}[1] must be of different IP family`);
  }
  refuseIfTooLarge(secondary, `${flag}[1]`);
  return [range, addressRange(secondary)];
}

function lengthOf({ family }: Cidr): number {
  return family === "IPv4" ? 32 : 128;
}

function hostBitsOf(network: Cidr): number {
  return lengthOf(network) - network.bits;
}

function refuseTooLarge(network: Cidr, name: string, refuse: (detail: string) => void): void {
  if (hostBitsOf(network) > maxHostBits) {
    const length = lengthOf(network);
    const least = length - maxHostBits;
    refuse(`specified ${name} is too large; for ${length}-bit addresses, the mask must be >= ${least}`);
  }
}

/** Refuses an address of this server that clients of the kubernetes Service could not be sent to. */
function checkAdvertisedFamily(flags: ServerFlagValues, range: AddressRange, problems: Problem[]): void {
  const address = flags["advertise-address"];
  if (address !== undefined && flags["endpoint-reconciler-type"] !== "none" && ipFamilyOf(address) !== range.family) {
    const detail = `service IP family "${range.text}" must match public address family "${address}"`;
    problems.push(problemAt("--advertise-address", detail));
  }
}
