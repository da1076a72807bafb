import type { DialAddress } from "@gatehouse/component-base/http-client";
import type { MaybePromise } from "@gatehouse/envelopes/scheduling";

/**
 * Returns the addresses of a Service, in the order in which to try them; a promise only while one is being tried. Throws or
 * rejects with a reason in v1.29's words.
 */
export type ServiceAddresses = (namespace: string, name: string, port: number) => MaybePromise<readonly DialAddress[]>;
