import { StatusError } from "@gatehouse/envelopes";

/**
 * 410 for whoever still reads a resource that has been taken out of service, as custom resources can be. Clients then ask
 * anew, and find what is served now. A watch just ends.
 */
export class NoLongerServedError extends StatusError {
  constructor() {
    super(410, "Expired", "the resource is no longer served");
  }
}
