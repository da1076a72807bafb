/** The output of a pipeline, by type. */
export type OutputConfig =
  | { readonly type: "file"; readonly file: FileOutputConfig }
  | { readonly type: "stdout" }
  | { readonly type: "webhook"; readonly webhook: WebhookOutputConfig }
  | { readonly type: "otlp"; readonly otlp: OtlpOutputConfig }
  | { readonly type: "nats"; readonly nats: NatsOutputConfig };

/** A file with one event a line, and when the next one is begun. Bounds that are not set are `Infinity`. */
export interface FileOutputConfig {
  readonly path: string;
  readonly maxBytes: number;
  readonly maxAgeMs: number;
  readonly maxFiles: number;
  readonly keepForMs: number;
  readonly compress: boolean;
}

/** Another server that takes EventLists. */
export interface WebhookOutputConfig {
  readonly kubeConfigFile: string;
}

/** A collector of OpenTelemetry. */
export interface OtlpOutputConfig {
  readonly kubeConfigFile: string;
  readonly path: string;
  readonly resourceAttributes: Readonly<Record<string, string>>;
}

/** A stream of NATS JetStream. */
export interface NatsOutputConfig {
  readonly servers: readonly string[];
  readonly subject: string;
  readonly caFile: string | undefined;
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
  readonly credentialsFile: string | undefined;
  readonly tokenFile: string | undefined;
}
