import { readConfigFile } from "@gatehouse/component-base/config-documents";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";

/** The collector of traces, and the number of requests that are traced. */
export interface TracingConfiguration {
  /** The URL of a collector that speaks OTLP over gRPC, without TLS: `http://localhost:4317`, `unix:///run/otel.sock`. */
  readonly endpoint: string;
  /** The number of requests in a million that begin a trace. */
  readonly samplingRatePerMillion: number;
}

const defaultEndpoint = "localhost:4317";
const million = 1_000_000;
const versions = ["apiserver.config.k8s.io/v1beta1", "apiserver.config.k8s.io/v1alpha1"];
const members = new Set(["apiVersion", "kind", "endpoint", "samplingRatePerMillion"]);

/** Reads a TracingConfiguration. Rejects with ConfigurationError, with v1.29's words where it has a rule. */
export async function readTracingConfiguration(path: string): Promise<TracingConfiguration> {
  const { content } = await readConfigFile(path);
  const problems: Problem[] = [];
  const { apiVersion, kind, endpoint, samplingRatePerMillion: rate } = content;
  if (!versions.includes(String(apiVersion)) || kind !== "TracingConfiguration") {
    problems.push(problemAt("kind", `the document must be TracingConfiguration of ${versions.join(" or ")}`));
  }
  for (const member of Object.keys(content)) {
    if (!members.has(member)) {
      problems.push(problemAt(member, "is unknown"));
    }
  }
  if (endpoint !== undefined && endpoint !== null && typeof endpoint !== "string") {
    problems.push(problemAt("endpoint", "must be a text"));
  }
  if (rate !== undefined && rate !== null) {
    problems.push(...rateProblems(rate));
  }
  const url = typeof endpoint === "string" && endpoint !== "" ? endpointUrl(endpoint) : endpointUrl(defaultEndpoint);
  if (url === undefined) {
    problems.push(problemAt("endpoint", "must be host:port, dns:host:port or unix:path"));
  }
  if (problems.length > 0 || url === undefined) {
    throw new ConfigurationError(path, problems);
  }
  return { endpoint: url, samplingRatePerMillion: typeof rate === "number" ? rate : 0 };
}

function rateProblems(rate: unknown): readonly Problem[] {
  const at = "samplingRatePerMillion";
  if (typeof rate !== "number" || !Number.isInteger(rate)) {
    return [problemAt(at, "must be a whole number")];
  }
  if (rate < 0) {
    return [problemAt(at, "sampling rate must be positive")];
  }
  return rate > million ? [problemAt(at, "sampling rate per million must be less than or equal to one million")] : [];
}

/** Returns the endpoint as the exporter takes it; undefined for one of another form. */
function endpointUrl(endpoint: string): string | undefined {
  if (endpoint.startsWith("unix:")) {
    return endpoint;
  }
  const host = endpoint.replace(/^dns:(?:\/\/[^/]*\/)?/, "");
  return /^(?:[a-zA-Z0-9._-]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?$/.test(host) ? `http://${host}` : undefined;
}
