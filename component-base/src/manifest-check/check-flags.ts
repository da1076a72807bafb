import type { FlagTable } from "../flags/index.js";
import { reportFlags } from "../manifests/index.js";

/** Flags that all commands have that check manifests. */
export const checkFlags = {
  "warnings-as-errors": {
    type: "bool",
    group: "Verdicts",
    help: "Refuse what an API server would warn of.",
  },
  watch: {
    type: "bool",
    shorthand: "w",
    group: "Report",
    help: "Check again after each change of the paths, until Ctrl-C.",
  },
  ...reportFlags,
} as const satisfies FlagTable;
