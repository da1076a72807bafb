import type { ServerParts } from "@gatehouse/apiserver/server";
import type { HookPart } from "./health-checks.js";

/** The parts of the work of the start that are known where the server is put together. */
export interface StartedParts {
  /** Reports whether the ranges of Services have been repaired once. */
  readonly ranges: () => boolean;
  /** Reports whether the controllers have been started, here or by the worker that runs them. */
  readonly controllers: () => boolean;
}

/** Returns the questions by which health checks ask for the parts of a server. */
export function hookParts(server: ServerParts, started: StartedParts): Readonly<Record<HookPart, () => boolean>> {
  const { liveRegistry, storages } = server;
  const isReadable = (group: string, resource: string): boolean => {
    const served = liveRegistry.current.findAnyVersion(group, resource);
    // A resource that --runtime-config has switched off is not waited for.
    return served?.isStored !== true || served.storage.cache.isReady;
  };
  return {
    ...started,
    feed: () => storages.areFollowed,
    caches: () => storages.lost().length === 0,
    limits: server.areRequestCountsSound,
    fairness: () => isReadable("flowcontrol.apiserver.k8s.io", "flowschemas"),
    definitions: () => isReadable("apiextensions.k8s.io", "customresourcedefinitions"),
    counts: () =>
      [...liveRegistry.current.stored()].every(({ storage }) => storage.cache.snapshot().count(storage.prefix) >= 0),
  };
}
