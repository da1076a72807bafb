import type { FlagTable, FlagValues } from "@gatehouse/component-base/flags";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { goPatternProblem } from "@gatehouse/envelopes/go";

const group = "Generic";
const origins = "cors-allowed-origins";
const transportSecurity = "strict-transport-security-directives";

/** The flags of headers for browsers, named as kube-apiserver names them. */
export const webHeaderFlags = {
  [origins]: {
    type: "stringList",
    group,
    help: "Patterns of `origins` whose scripts may read answers in a browser (CORS). Each must name where the host begins and ends: //example.com$.",
  },
  [transportSecurity]: {
    type: "stringList",
    group,
    help: "`directives` of the header Strict-Transport-Security: max-age=seconds, includeSubDomains, preload. The header is not sent when not given.",
  },
} as const satisfies FlagTable;

/** The headers of answers for browsers. */
export interface WebHeaders {
  /** Patterns in Go's syntax of the origins that may read answers. */
  readonly allowedOrigins: readonly string[];
  /** The directives of `Strict-Transport-Security`. */
  readonly transportSecurity: readonly string[];
}

/** Checks the headers for browsers as v1.29's options do. Adds problems. */
export function resolveWebHeaders(flags: FlagValues<typeof webHeaderFlags>, problems: Problem[]): WebHeaders {
  for (const pattern of flags[origins]) {
    const problem = pattern === "" ? "empty value" : patternProblem(pattern);
    if (problem !== undefined) {
      problems.push(problemAt(`--${origins}`, problem));
    }
  }
  for (const directive of flags[transportSecurity]) {
    if (!/^(?:includeSubDomains|preload|max-age=[^=\r\n;]*)$/.test(directive)) {
      problems.push(
        problemAt(
          `--${transportSecurity}`,
          "invalid, allowed values: max-age=expireTime, includeSubDomains, preload. see https://tools.ietf.org/html/rfc6797#section-6.1 for more information",
        ),
      );
    }
  }
  return { allowedOrigins: flags[origins], transportSecurity: flags[transportSecurity] };
}

function patternProblem(pattern: string): string | undefined {
  const problem = goPatternProblem(pattern);
  // A pattern without both would allow hosts that only contain the name of an allowed one (CVE-2022-1996).
  const isPinned = /\^|\/\//.test(pattern) && /[$:]/.test(pattern);
  const reason =
    problem ?? (isPinned ? undefined : "regular expression does not pin to start/end of host in the origin header");
  return reason === undefined ? undefined : `has an invalid regular expression: ${reason}`;
}
