import type { ServedApi } from "../discovery/served-api.js";
import type { Handler } from "../request/handler.js";

/** The group versions that other servers serve behind this one. Their requests are passed on behind all filters. */
export interface Delegation {
  /** Returns the handler of a path that another server serves; undefined for all other paths. Called for every request. */
  handlerOf(path: string): Handler | undefined;
  /** Returns the handler of an OpenAPI 3.0 document (`apis/GROUP/VERSION`) of another server; undefined for all others. */
  documentHandlerOf(id: string): Handler | undefined;
  /**
   * Returns an API with the delegated group versions added, in the order of discovery. Called for every request of a
   * document; the result stays the same value until the argument or a delegated group version changes.
   */
  withDelegated(api: ServedApi): ServedApi;
}
