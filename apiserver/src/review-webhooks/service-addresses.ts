import type { DialAddress } from "@gatehouse/component-base/http-client";

/** Returns the addresses of a Service, in the order in which to try them. Rejects with a reason in v1.29's words. */
export type ServiceAddresses = (namespace: string, name: string, port: number) => Promise<readonly DialAddress[]>;
