/**
 * The settings of `--runtime-config`. Keys are `group/version`, `group/version/resource` (the core group without its
 * name: `v1`), and the four classes `api/all`, `api/ga`, `api/beta`, `api/alpha`. `api/legacy`, which has no meaning in
 * v1.29, is refused.
 */
export interface RuntimeConfig {
  /** Reports whether a resource is served, from its default. */
  serves(groupVersion: string, resource: string, servedByDefault: boolean): boolean;
}

const classes = ["api/all", "api/ga", "api/beta", "api/alpha"] as const;

/**
 * Reads `--runtime-config`. Problems are sentences about single settings, which are then left out; none when all is
 * well.
 */
export function parseRuntimeConfig(settings: ReadonlyMap<string, string>): {
  readonly config: RuntimeConfig;
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const byKey = new Map<string, boolean>();
  for (const [key, text] of settings) {
    const value = text === "true" ? true : text === "false" ? false : undefined;
    if (value === undefined) {
      problems.push(`${key}=${text}: the value must be true or false`);
    } else if (
      !/^(?:api\/(?:all|ga|beta|alpha)|(?:[a-z0-9.-]+\/)?v\d+(?:(?:alpha|beta)\d+)?(?:\/[a-z]+)?)$/.test(key)
    ) {
      problems.push(`${key}: unknown key; give group/version, group/version/resource or one of ${classes.join(", ")}`);
    } else {
      byKey.set(key, value);
    }
  }
  return { config: { serves: (gv, resource, byDefault) => serves(byKey, gv, resource, byDefault) }, problems };
}

/** Returns the most specific setting for a resource. */
function serves(
  settings: ReadonlyMap<string, boolean>,
  groupVersion: string,
  resource: string,
  servedByDefault: boolean,
): boolean {
  return (
    settings.get(`${groupVersion}/${resource}`) ??
    settings.get(groupVersion) ??
    settings.get(`api/${stabilityOf(groupVersion)}`) ??
    settings.get("api/all") ??
    servedByDefault
  );
}

function stabilityOf(groupVersion: string): "ga" | "beta" | "alpha" {
  const version = groupVersion.slice(groupVersion.indexOf("/") + 1);
  return version.includes("alpha") ? "alpha" : version.includes("beta") ? "beta" : "ga";
}
