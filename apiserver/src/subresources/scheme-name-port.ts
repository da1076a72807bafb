/** The target of a proxy path: `name`, `name:port` or `scheme:name:port`. */
export interface SchemeNamePort {
  readonly scheme: string;
  readonly name: string;
  readonly port: string;
}

/** Parses the target of a proxy path; undefined if invalid. */
export function splitSchemeNamePort(id: string): SchemeNamePort | undefined {
  const parts = id.split(":");
  const [scheme = "", name = "", port = ""] =
    parts.length === 1 ? ["", ...parts] : parts.length === 2 ? ["", ...parts] : parts;
  const isKnown = scheme === "" || scheme === "http" || scheme === "https";
  return parts.length > 3 || name === "" || !isKnown ? undefined : { scheme, name, port };
}
