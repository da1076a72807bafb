import { parseGoBoolean } from "@gatehouse/envelopes/go";

/**
 * The settings of `--runtime-config`. Keys are `group/version`, `group/version/resource` (the core group without its
 * name: `v1`), and the four classes `api/all`, `api/ga`, `api/beta`, `api/alpha`. `api/legacy`, which has no meaning in
 * v1.29, changes nothing.
 */
export interface RuntimeConfig {
  /** Reports whether a resource is served, from its default. */
  serves(groupVersion: string, resource: string, servedByDefault: boolean): boolean;
}

/** The versions that `--runtime-config` may name, by group; those of v1.29 may all be named, served or not. */
export type RegisteredVersions = ReadonlyMap<string, readonly string[]>;

const classes: ReadonlySet<string> = new Set(["api/all", "api/ga", "api/beta", "api/alpha"]);
const withoutMeaning = "api/legacy";

/** Spellings of the core group. */
const spellingOfCore = /^(?:api)?\/?(?=v\d)/;

/**
 * Reads `--runtime-config`. Problems are in the words of v1.29 and are about single settings, which are then left out;
 * none when all is well.
 */
export function parseRuntimeConfig(
  settings: ReadonlyMap<string, string>,
  registered: RegisteredVersions,
): {
  readonly config: RuntimeConfig;
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const strangers: string[] = [];
  const byKey = new Map<string, boolean>();
  for (const [spelled, text] of settings) {
    const key = spelled.replace(spellingOfCore, "");
    const setting = parseSetting(key, text, registered);
    if (typeof setting === "boolean") {
      byKey.set(key, setting);
    } else if (setting !== undefined && "stranger" in setting) {
      strangers.push(setting.stranger);
    } else if (setting !== undefined) {
      problems.push(setting.problem);
    }
  }
  if (strangers.length > 0) {
    problems.push(`unknown api groups ${strangers.join(",")}`);
  }
  if (byKey.get("api/all") === false && settings.size === 1) {
    problems.push("invalid key with only api/all=false");
  }
  return { config: { serves: (gv, resource, byDefault) => serves(byKey, gv, resource, byDefault) }, problems };
}

/** A setting that cannot be used: a group that nobody knows, or another problem. */
type BadSetting = { readonly stranger: string } | { readonly problem: string };

/** Returns the value of a setting; undefined for one without meaning. */
function parseSetting(key: string, text: string, registered: RegisteredVersions): boolean | BadSetting | undefined {
  if (key === withoutMeaning) {
    return undefined;
  }
  if (classes.has(key)) {
    return text === "true" || text === "false" ? text === "true" : { problem: `invalid value ${key}=${text}` };
  }
  const parts = key.split("/");
  const [group = "", version = "", resource = "", ...more] = /^v\d/.test(key) ? ["", ...parts] : parts;
  if (version === "" || more.length > 0) {
    return { problem: `runtime-config invalid key ${key}` };
  }
  const versions = registered.get(group);
  if (versions === undefined) {
    return { stranger: group };
  }
  if (!versions.includes(version)) {
    return { problem: `group version ${group}/${version} that has not been registered` };
  }
  const value = text === "" ? true : parseGoBoolean(text);
  if (value === undefined) {
    const reason = `strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`;
    return { problem: `invalid value of ${key}: ${text}, err: ${reason}` };
  }
  if (resource !== resource.toLowerCase()) {
    const rule = "group/version/resource and resource is always lowercase plural";
    return { problem: `invalid key ${key}: ${rule}, not ${JSON.stringify(resource)}` };
  }
  return value;
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
