import type { FlagTable, FlagValues } from "@gatehouse/component-base/flags";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { type GroupResource, groupResourceText } from "@gatehouse/envelopes/status";

const group = "Storage";

/** The flags of watch caches, named as kube-apiserver names them. */
export const watchCacheFlags = {
  "watch-cache": {
    type: "bool",
    default: true,
    group,
    help: "Serve reads of any version (resourceVersion=0) from memory as it is. Without, all reads are as fresh as the store, and may have pages. Objects are kept in memory either way.",
  },
  "watch-cache-sizes": {
    type: "stringList",
    group,
    help: "`sizes` of watch caches: resource[.group]#size. As in v1.29, caches size themselves, and 0 stands for no cache, which events have by default.",
  },
  "default-watch-cache-size": {
    type: "int",
    default: 100,
    min: 0,
    max: 2_147_483_647,
    group,
    help: "As in v1.29, caches size themselves, and this has no effect.",
  },
} as const satisfies FlagTable;

/** The resources that have a watch cache, from which reads of any version (`resourceVersion=0`) are answered. */
export interface WatchCaches {
  /** True if there are any. */
  readonly enabled: boolean;
  /** The compiled-in resources without one, as `resource.group`. */
  readonly without: ReadonlySet<string>;
}

/** The watch caches of kube-apiserver v1.29: all resources but events have one. */
export const defaultWatchCaches: WatchCaches = { enabled: true, without: new Set(["events", "events.events.k8s.io"]) };

/** Checks the flags of watch caches, which change what a server has without them. */
export function resolveWatchCaches(
  flags: Pick<FlagValues<typeof watchCacheFlags>, "watch-cache" | "watch-cache-sizes">,
  defaults: WatchCaches,
  problems: Problem[],
): WatchCaches {
  const without = new Set(defaults.without);
  for (const text of flags["watch-cache-sizes"]) {
    const [, resource = "", size] = /^([^#]+)#(\d+)$/.exec(text) ?? [];
    if (size === undefined) {
      problems.push(problemAt("--watch-cache-sizes", `invalid value of watch cache size: ${text}`));
    } else if (Number(size) === 0) {
      without.add(resource);
    } else {
      without.delete(resource);
    }
  }
  return { enabled: flags["watch-cache"], without };
}

/** Reports whether a resource has a watch cache. Custom ones cannot be without by name, as in v1.29. */
export function hasWatchCache({ enabled, without }: WatchCaches, resource: GroupResource, isCustom: boolean): boolean {
  return enabled && (isCustom || !without.has(groupResourceText(resource)));
}
