import { ConfigurationError } from "@gatehouse/component-base/errors";
import type { FlagValues } from "@gatehouse/component-base/flags";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import type { upFlags } from "./flags.js";
import { type PartId, partIds } from "./parts/part-id.js";

/** Flags that the person at the keyboard adds to the command lines of processes. */
export type ProcessFlags = ReadonlyMap<PartId, readonly string[]>;

/** Flags that say where a process is found by the others, so only the stack can set them. */
const addressFlags = new Set(["bind-address", "port", "secure-port"]);

/**
 * Reads the flags `--PROCESS-flag`. The dashes of a value may be left out. Throws ConfigurationError for a process that
 * is not started, and for what only the stack can set.
 */
export function readProcessFlags(values: FlagValues<typeof upFlags>): ProcessFlags {
  const started = startedParts(values);
  const problems: Problem[] = [];
  const flags = new Map<PartId, readonly string[]>();
  for (const id of partIds) {
    const spelled = values[`${id}-flag`].map((text) => (text.startsWith("-") ? text : `--${text}`));
    if (spelled.length > 0 && !started.has(id)) {
      problems.push(problemAt(`--${id}-flag`, `this process is not started${howToStart(id)}`));
    }
    for (const flag of spelled) {
      const [, name = ""] = /^--?([^=]*)/.exec(flag) ?? [];
      if (name === "") {
        problems.push(problemAt(`--${id}-flag`, `${JSON.stringify(flag)} names no flag`));
      } else if (addressFlags.has(name.replaceAll("_", "-"))) {
        const instead = id === "apiserver" ? "; choose the port with --port" : "";
        problems.push(problemAt(`--${id}-flag`, `--${name} is set by the stack${instead}`));
      }
    }
    flags.set(id, spelled);
  }
  if (problems.length > 0) {
    throw new ConfigurationError("flags", problems);
  }
  return flags;
}

function startedParts(values: FlagValues<typeof upFlags>): ReadonlySet<PartId> {
  const { without, with: additional, "with-oidc": withOidc } = values;
  const optional = (["admission", "image-review", "audit-sink"] as const).filter((id) => !without.includes(id));
  const hasProvider = withOidc || additional.includes("token-review");
  return new Set<PartId>([
    "apiserver",
    ...optional,
    ...additional,
    ...(hasProvider ? (["identity-provider"] as const) : []),
  ]);
}

function howToStart(id: PartId): string {
  switch (id) {
    case "authorization":
    case "token-review":
      return `; add --with=${id}`;
    case "identity-provider":
      return "; add --with-oidc";
    default:
      return `: --without=${id} leaves it out`;
  }
}
