import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { metricsFormat } from "./metrics-format.js";

/** An answer to a scrape: its headers and body. */
export interface MetricsAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The headers of a request by which a client says what it takes. */
export interface MetricsPreferences {
  readonly accept?: string | undefined;
  readonly acceptEncoding?: string | undefined;
}

const compressed = promisify(gzip);

/**
 * Renders metrics in the form that a client asks for, compressed if it takes that. All forms are made of the text, which has
 * what other sources add: the metrics of Node, and those of other workers.
 */
export async function answerScrape(
  render: () => Promise<string>,
  { accept, acceptEncoding }: MetricsPreferences,
): Promise<MetricsAnswer> {
  const { contentType, encoding } = metricsFormat(accept);
  const text = await render();
  // What encodes messages is loaded when it is first asked for.
  const body =
    encoding === "exposition"
      ? Buffer.from(text)
      : await (await import("./encode-families.js")).encodeFamilies(text, encoding);
  const headers = { "Content-Type": contentType };
  return takesGzip(acceptEncoding ?? "")
    ? {
        headers: { ...headers, "Content-Encoding": "gzip" },
        body: await compressed(body, { level: constants.Z_BEST_SPEED }),
      }
    : { headers, body };
}

/** Reports whether an answer may go out compressed as v1.29 reads it for metrics: no quality of gzip forbids it, not even 0. */
function takesGzip(acceptEncoding: string): boolean {
  return acceptEncoding.split(",").some((coding) => /^gzip(?:;|$)/.test(coding.trim()));
}
