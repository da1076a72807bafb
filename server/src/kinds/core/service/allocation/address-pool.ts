import type { IPFamily } from "@gatehouse/apiserver/options";
import type { JsonObject } from "@gatehouse/envelopes/json";

/** The addresses of one family, and who has them. */
export interface AddressPool {
  readonly family: IPFamily;
  /** Takes an address for a service, and returns it. Throws a StatusError when there is none, or not the requested one. */
  take(request: AddressRequest): Promise<string> | string;
  /** Gives addresses of a service back. Those that are not of this pool are ignored. */
  release(addresses: readonly string[], service: JsonObject): Promise<void>;
}

/** The address that a service requests. */
export interface AddressRequest {
  readonly service: JsonObject;
  /** The addresses of the service as an error shows them; empty ones are still to be allocated. */
  readonly addresses: readonly string[];
  /** The requested address; empty for any. */
  readonly requested: string;
  /** True to take nothing, and to answer as v1.29 does in a dry run. */
  readonly dryRun: boolean;
}
