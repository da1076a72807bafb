import type { Authenticator } from "@gatehouse/apiserver/authentication";
import type { Routes } from "@gatehouse/apiserver/routes";
import type { ApiServerOptions, ServerParts } from "@gatehouse/apiserver/server";

/** Parts that test harnesses give to a server. A server that a command line starts has none of them. */
export interface HarnessParts extends Pick<ApiServerOptions, "store"> {
  /** Called once with the parts of the server, when its store is open. */
  readonly onOpen?: (parts: ServerParts) => void;
  /** An authenticator that is asked before those of the flags. */
  readonly authenticator?: Authenticator;
  /** Routes beside those of every server. */
  readonly routes?: Routes;
}
