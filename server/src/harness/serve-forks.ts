import type { Logger } from "@gatehouse/component-base/logs";
import type { ServerConfig } from "../options/server-config.js";
import { CapturedStore } from "./captured-store.js";
import { forkRoutes } from "./fork-routes.js";
import { ForkedServers, type StartForked } from "./forked-servers.js";
import type { HarnessParts } from "./harness-parts.js";

/** Returns the parts by which a server serves `/forks`: clones of itself, each on a port of its own. */
export function serveForks(config: ServerConfig, logger: Logger, start: StartForked): HarnessParts {
  const store = new CapturedStore(config);
  const forks = new ForkedServers(config, logger, store, start);
  return {
    store: store.open,
    routes: forkRoutes(forks),
    onOpen: ({ closers }) => closers.add(() => forks.close()),
  };
}
