import type { FlagTable, FlagValues } from "@gatehouse/component-base/flags";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";

const group = "Aggregation";

/** The flags of API servers behind this one, as kube-apiserver names them. */
export const aggregationFlags = {
  "proxy-client-cert-file": {
    type: "path",
    group,
    help: "`file` with the client certificate by which API servers behind this one know it as a front proxy. Followed as it changes.",
  },
  "proxy-client-key-file": {
    type: "path",
    group,
    help: "`file` with the key of --proxy-client-cert-file.",
  },
  "enable-aggregator-routing": {
    type: "bool",
    default: false,
    group,
    help: "Send requests to the endpoints of services instead of their cluster addresses.",
  },
  "aggregator-reject-forwarding-redirect": {
    type: "bool",
    default: true,
    group,
    help: "Answer 502 where an API server behind this one answers with a redirect.",
  },
} as const satisfies FlagTable;

/** The configuration of API servers behind this one. */
export interface AggregationConfig {
  /** The files of the front proxy's client certificate; undefined for none. */
  readonly proxyClient: { readonly certFile: string; readonly keyFile: string } | undefined;
  /** True if services are reached by their endpoints alone. */
  readonly routesToEndpoints: boolean;
  readonly rejectsRedirects: boolean;
}

/** Checks the flags of aggregation. */
export function resolveAggregation(flags: FlagValues<typeof aggregationFlags>, problems: Problem[]): AggregationConfig {
  const certFile = flags["proxy-client-cert-file"];
  const keyFile = flags["proxy-client-key-file"];
  if ((certFile === undefined) !== (keyFile === undefined)) {
    const missing = certFile === undefined ? "--proxy-client-cert-file" : "--proxy-client-key-file";
    problems.push(problemAt(missing, "is required with the other one of the pair"));
  }
  return {
    proxyClient: certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile },
    routesToEndpoints: flags["enable-aggregator-routing"],
    rejectsRedirects: flags["aggregator-reject-forwarding-redirect"],
  };
}
