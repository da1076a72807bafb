import { StatusError } from "@gatehouse/envelopes/status";

/**
 * The 410 error for reads of a resource that has been taken out of service, as custom resources can be. Clients then
 * ask again, and find the resource that is served now. A watch just ends.
 */
export class NoLongerServedError extends StatusError {
  constructor() {
    super(410, "Expired", "the resource is no longer served");
  }
}
