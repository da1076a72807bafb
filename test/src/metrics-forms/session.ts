import type { ApiClient } from "../spec/support/api-client.js";

/** The form in which a server has sent its metrics. */
export interface MetricsAnswer {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
}

const type = "application/vnd.google.protobuf";
const message = "proto=io.prometheus.client.MetricFamily";
const delimited = `${type};${message};encoding=delimited`;
const openMetrics =
  "application/openmetrics-text;version=1.0.0;q=0.8,application/openmetrics-text;version=0.0.1;q=0.75";

/** Values of Accept, of Prometheus itself and of others. */
const accepts: readonly string[] = [
  ...["", "*/*", "text/html", "application/json", "text/plain", "text/plain;version=0.0.4", "text/plain;version=1.0.0"],
  `${openMetrics},text/plain;version=0.0.4;q=0.5,*/*;q=0.1`,
  `${delimited},${openMetrics},text/plain;version=0.0.4;q=0.5,*/*;q=0.1`,
  ...[delimited, `${type}; ${message}; encoding=delimited`, `${type} ; ${message} ; encoding = delimited`],
  ...[`${type};${message};encoding=text`, `${type};${message};encoding=compact-text`, `${type};${message}`, type],
  ...[`${type};encoding=delimited`, `${type};proto=other;encoding=delimited`, `${type};${message};encoding=other`],
  ...[
    `${type};${message};encoding=other,${delimited}`,
    `garbage,${delimited}`,
    `application/*;${message};encoding=delimited`,
  ],
  ...[
    `${type.toUpperCase()};${message};encoding=delimited`,
    `${type};${message.replace("proto", "PROTO")};encoding=delimited`,
  ],
  ...[`${type};${message};encoding="delimited"`, `${delimited};escaping=values`, "application/openmetrics-text"],
  ...[`text/plain,${delimited}`, `${delimited},text/plain`, `text/plain;q=0.5,${delimited};q=0.5`],
  ...[`${delimited};q=0.5,text/plain;q=0.5`, `${delimited};q=0.2,text/plain;q=0.5`, `${delimited};q=0`],
  ...[`${delimited};q=x,text/plain;q=0.1`, `*/*,${delimited};q=0.1`, `*/*,text/plain;q=0.1,${delimited};q=0.05`],
];

/** Values of Accept-Encoding. */
const codings: readonly string[] = [
  ...["gzip", "identity", "deflate, gzip;q=1.0", "br", "gzip;q=0", "gzip; q=0", "gzip ;q=1", "GZIP", "*", "x-gzip"],
  ...["identity;q=1, gzip;q=0.0", "gzip,", "br,gzip"],
];

/** Asks for metrics in all forms, and resolves to those of the answers. */
export async function metricsFormsSession(client: ApiClient): Promise<readonly MetricsAnswer[]> {
  const answers: MetricsAnswer[] = [];
  const ask = async (path: string, headers: Readonly<Record<string, string>>): Promise<void> => {
    const answer = await client.get(path, headers);
    const { "content-type": contentType, "content-encoding": contentEncoding } = answer.headers;
    answers.push({ path, headers, status: answer.status, contentType, contentEncoding });
  };
  for (const accept of accepts) {
    await ask("/metrics", { accept });
    await ask("/metrics/slis", { accept });
  }
  await ask("/metrics", {});
  for (const coding of codings) {
    await ask("/metrics", { "accept-encoding": coding });
    await ask("/metrics", { "accept-encoding": coding, accept: delimited });
  }
  return answers;
}
