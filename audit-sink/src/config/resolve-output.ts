import type { gatehouseauditV1alpha1 } from "@gatehouse/envelopes/types";
import type { FileOutputConfig, NatsOutputConfig, OutputConfig } from "./output-config.js";
import type { Settings } from "./settings.js";

const mebibyte = 2 ** 20;
const types = ["file", "stdout", "webhook", "otlp", "nats"] as const;
const natsScheme = /^(nats|tls):\/\//;

/** Checks where a pipeline leads. */
export function resolveOutput(
  at: string,
  output: gatehouseauditV1alpha1.AuditOutput,
  settings: Settings,
): OutputConfig {
  const [type, ...others] = types.filter((name) => output[name] !== undefined);
  if (type === undefined || others.length > 0) {
    settings.refuse(at, `must have exactly one of ${types.join(", ")}`);
  }
  const { file, webhook, otlp, nats } = output;
  if (file !== undefined) {
    return { type: "file", file: fileOf(`${at}.file`, file, settings) };
  }
  if (webhook !== undefined) {
    const kubeConfigFile = settings.file(`${at}.webhook.kubeConfigFile`, webhook.kubeConfigFile);
    return { type: "webhook", webhook: { kubeConfigFile } };
  }
  if (otlp !== undefined) {
    return {
      type: "otlp",
      otlp: {
        kubeConfigFile: settings.file(`${at}.otlp.kubeConfigFile`, otlp.kubeConfigFile),
        path: otlp.path || "/v1/logs",
        resourceAttributes: otlp.resourceAttributes ?? {},
      },
    };
  }
  return nats === undefined ? { type: "stdout" } : { type: "nats", nats: natsOf(`${at}.nats`, nats, settings) };
}

function fileOf(at: string, file: gatehouseauditV1alpha1.AuditFileOutput, settings: Settings): FileOutputConfig {
  const unbounded = Number.POSITIVE_INFINITY;
  return {
    path: settings.file(`${at}.path`, file.path),
    maxBytes: settings.bytes(`${at}.maxBytes`, file.maxBytes, 100 * mebibyte),
    maxAgeMs: settings.durationMs(`${at}.maxAge`, file.maxAge, unbounded, 1),
    maxFiles: settings.count(`${at}.maxFiles`, file.maxFiles, unbounded),
    keepForMs: settings.durationMs(`${at}.keepFor`, file.keepFor, unbounded, 1),
    compress: file.compress ?? true,
  };
}

function natsOf(at: string, nats: gatehouseauditV1alpha1.AuditNatsOutput, settings: Settings): NatsOutputConfig {
  if (nats.servers.length === 0) {
    settings.refuse(`${at}.servers`, "must not be empty");
  }
  for (const [index, server] of nats.servers.entries()) {
    if (!natsScheme.test(server) || !URL.canParse(server)) {
      settings.refuse(`${at}.servers[${index}]`, "must begin with nats:// or tls://");
    }
  }
  if (!/^[^\s*>.]+(\.[^\s*>.]+)*$/.test(nats.subject)) {
    settings.refuse(`${at}.subject`, "must be words divided by dots, without wildcards");
  }
  return {
    servers: nats.servers,
    subject: nats.subject,
    caFile: settings.optionalFile(nats.caFile),
    certFile: settings.optionalFile(nats.certFile),
    keyFile: settings.optionalFile(nats.keyFile),
    credentialsFile: settings.optionalFile(nats.credentialsFile),
    tokenFile: settings.optionalFile(nats.tokenFile),
  };
}
