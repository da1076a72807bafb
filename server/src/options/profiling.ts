import type { FlagTable, FlagValues } from "@gatehouse/component-base/flags";

const group = "Debugging";

/** The flags of profiles. */
export const profilingFlags = {
  profiling: {
    type: "bool",
    default: true,
    group,
    help: "Serve CPU and heap profiles of V8 at /debug/pprof/, in pprof's format.",
  },
  "contention-profiling": {
    type: "bool",
    default: false,
    group,
    help: "Accepted for compatibility: JavaScript has no locks whose contention could be profiled.",
  },
  "debug-socket-path": {
    type: "path",
    group,
    help: "Path of a Unix `socket` at which profiles are served without authentication, to this user alone.",
  },
} as const satisfies FlagTable;

/** The places at which profiles are served. */
export interface ProfilingConfig {
  /** True if profiles are served at the port. */
  readonly isServed: boolean;
  /** The path of the socket at which they are served as well; undefined for none. */
  readonly socketPath: string | undefined;
}

/** Resolves the flags of profiles. */
export function resolveProfiling(flags: FlagValues<typeof profilingFlags>, warnings: string[]): ProfilingConfig {
  if (flags["contention-profiling"]) {
    warnings.push("--contention-profiling does nothing: JavaScript has no locks whose contention could be profiled");
  }
  return { isServed: flags.profiling, socketPath: flags["debug-socket-path"] };
}
