import { expired, type StatusError } from "@gatehouse/envelopes";

/**
 * 410 for whoever still reads or watches a resource that has been taken out of service, as custom resources can be.
 * Clients then ask anew, and find what is served now.
 */
export function noLongerServed(): StatusError {
  return expired("the resource is no longer served");
}
