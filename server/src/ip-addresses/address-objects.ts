import { isLostRace, type ObjectClient } from "@gatehouse/apiserver/client";
import { type IPFamily, type IpAddress, ipText } from "@gatehouse/apiserver/options";
import { addressesToTry } from "./free-addresses.js";
import { type HostRange, holdsAddress, holdsHost, isAllocatable, isWithin } from "./host-range.js";
import { ipAddresses, ipAddressOf, isSameService, type ServiceName, serviceOf } from "./ip-address-object.js";
import { followServiceCidrs, type ServiceCidrs } from "./service-cidrs.js";
import { followTakenAddresses, type TakenAddresses } from "./taken-addresses.js";

/** The reason why an address could not be taken, in the words of v1.29. */
export type Refusal = { readonly refusal: string };

/** The addresses of Services, each of which is taken by making its IPAddress. Failures of the store are thrown. */
export interface AddressObjects {
  /** Takes any free address of a family for a Service. */
  takeAny(family: IPFamily, service: ServiceName): Promise<string | Refusal>;
  /** Takes an address for a Service. */
  take(address: IpAddress, service: ServiceName): Promise<string | Refusal>;
  /** Answers a dry run, which takes nothing: the address that is asked for, or that of the network itself. */
  dryRun(family: IPFamily, address: IpAddress | undefined): string | Refusal;
  /** Gives an address of a Service back. One that is not its own stays. */
  release(address: IpAddress, service: ServiceName): Promise<void>;
}

/** The options of `openAddressObjects`. */
export interface AddressObjectsOptions {
  readonly client: ObjectClient;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  /** Returns a random number from 0 up to 1. Default: Math.random. */
  readonly random?: () => number;
}

const notReady: Refusal = { refusal: "allocator not ready" };
const full: Refusal = { refusal: "range is full" };
const alreadyTaken: Refusal = { refusal: "provided IP is already allocated" };
const outsideOfAll: Refusal = { refusal: "the provided network does not match the current range" };

/** Opens the addresses of the ServiceCIDRs that exist, as they come and go. */
export async function openAddressObjects(options: AddressObjectsOptions): Promise<AddressObjects> {
  const serviceCidrs = await followServiceCidrs(options.client, options);
  return new ServiceCidrAddresses(options, serviceCidrs, await followTakenAddresses(options.client, options));
}

/** A range to allocate from, and whether one of its ServiceCIDRs is ready. */
interface AllocatedRange {
  readonly range: HostRange;
  readonly isReady: boolean;
}

class ServiceCidrAddresses implements AddressObjects {
  readonly #client: ObjectClient;
  readonly #random: () => number;
  readonly #serviceCidrs: ServiceCidrs;
  readonly #taken: TakenAddresses;

  constructor(
    { client, random = Math.random }: AddressObjectsOptions,
    serviceCidrs: ServiceCidrs,
    taken: TakenAddresses,
  ) {
    this.#client = client;
    this.#random = random;
    this.#serviceCidrs = serviceCidrs;
    this.#taken = taken;
  }

  async takeAny(family: IPFamily, service: ServiceName): Promise<string | Refusal> {
    for (const { range, isReady } of this.#outermost(family)) {
      const address = isReady ? await this.#takeFrom(range, service) : undefined;
      if (address !== undefined) {
        return address;
      }
    }
    return full;
  }

  async take(address: IpAddress, service: ServiceName): Promise<string | Refusal> {
    const found = this.#outermost(address.family).find(({ range }) => holdsAddress(range, address));
    if (found === undefined) {
      return outsideOfAll;
    }
    if (!found.isReady) {
      return notReady;
    }
    if (!holdsHost(found.range, address)) {
      return outsideOf(found.range, address);
    }
    const text = ipText(address);
    return (await this.#create(text, service)) ? text : alreadyTaken;
  }

  dryRun(family: IPFamily, address: IpAddress | undefined): string | Refusal {
    const all = this.#outermost(family);
    const fitting = all.find(({ range, isReady }) => (address === undefined ? isReady : holdsAddress(range, address)));
    const found = fitting ?? all[0];
    if (found?.isReady !== true) {
      return notReady;
    }
    if (address === undefined) {
      return ipText({ family, value: found.range.network });
    }
    // As in v1.29, a dry run does not know what is taken, and tells of a range if there is none with the address.
    return holdsHost(found.range, address) ? ipText(address) : outsideOf(found.range, address);
  }

  async release(address: IpAddress, service: ServiceName): Promise<void> {
    const name = ipText(address);
    const ipAddress = await this.#client.get(ipAddresses, "", name);
    const owner = ipAddress && serviceOf(ipAddress);
    if (owner !== undefined && isSameService(owner, service)) {
      await this.#client.delete(ipAddresses, "", name);
    }
  }

  /** Returns the ranges of a family that are no part of another one: addresses are allocated from these alone. */
  #outermost(family: IPFamily): readonly AllocatedRange[] {
    const ranges = new Map<string, AllocatedRange>();
    for (const { ranges: own, isReady } of this.#serviceCidrs.all()) {
      for (const range of own) {
        if (range.family === family && isAllocatable(range)) {
          ranges.set(range.text, { range, isReady: isReady || ranges.get(range.text)?.isReady === true });
        }
      }
    }
    const all = [...ranges.values()];
    return all.filter(({ range }) => !all.some((other) => other.range !== range && isWithin(range, other.range)));
  }

  /** Takes any free address of a range; undefined when there is none. */
  async #takeFrom(range: HostRange, service: ServiceName): Promise<string | undefined> {
    const { family } = range;
    const nextFree = (first: bigint, last: bigint): bigint | undefined => this.#taken.nextFree(family, first, last);
    for (const value of addressesToTry(range, { random: this.#random, nextFree })) {
      const address = ipText({ family, value });
      // What the cache does not know yet is found out by the attempt.
      if (await this.#create(address, service)) {
        return address;
      }
    }
    return undefined;
  }

  /** Makes an IPAddress. Resolves to false if there is one already. */
  async #create(address: string, service: ServiceName): Promise<boolean> {
    try {
      await this.#client.create(ipAddresses, ipAddressOf(address, service));
      return true;
    } catch (error) {
      if (isLostRace(error)) {
        return false;
      }
      throw error;
    }
  }
}

function outsideOf(range: HostRange, address: IpAddress): Refusal {
  return {
    refusal: `the provided IP (${ipText(address)}) is not in the valid range. The range of valid IPs is ${range.text}`,
  };
}
