import type { BeforeWebhook } from "@gatehouse/apiserver/admission";
import type { Authenticator } from "@gatehouse/apiserver/authentication";
import type { OnClockAdvance } from "@gatehouse/apiserver/client";
import type { Routes } from "@gatehouse/apiserver/routes";
import type { ApiServerOptions, ServerParts, StoreParts } from "@gatehouse/apiserver/server";
import type { Store } from "@gatehouse/apiserver/storage";

/** A filter of requests. */
export type HarnessFilter = NonNullable<ApiServerOptions["outerFilter"]>;

/** The parts of a harness that the library takes. */
type LibraryParts = Pick<ApiServerOptions, "now" | "outerFilter" | "innerFilter" | "connections">;

/** Parts that test harnesses give to a server. A server that a command line starts has none of them. */
export interface HarnessParts extends LibraryParts {
  /** Opens the store in place of the configured one, which it may open itself. */
  readonly store?: (parts: StoreParts, configured: ApiServerOptions["store"]) => Store | Promise<Store>;
  /** Takes listeners that are called when a test has set the clock `now` ahead. */
  readonly onClockAdvance?: OnClockAdvance;
  /** Called once with the parts of the server, when its store is open. */
  readonly onOpen?: (parts: ServerParts) => void;
  /** Called once when every check behind `/readyz` succeeds, or some time after requests are served. */
  readonly onReady?: () => void;
  /** An authenticator that is asked before those of the flags. */
  readonly authenticator?: Authenticator;
  /** Routes beside those of every server. */
  readonly routes?: Routes;
  /** Called before each call of a webhook. Text that it returns makes the call fail as if there were no connection. */
  readonly beforeWebhook?: BeforeWebhook;
}
