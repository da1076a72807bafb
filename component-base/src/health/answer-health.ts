/**
 * One thing that must hold for the process to be healthy. `check` throws (or rejects) when it does not. It runs at each
 * request of an endpoint, beside the other checks and possibly beside itself; nothing bounds its time but itself.
 */
export interface HealthCheck {
  /** Name of the check as in `/livez/<name>`. */
  readonly name: string;
  /** True if the check is answered under its own name alone, and its failure leaves the endpoint healthy. */
  readonly isAside?: boolean;
  check(): void | Promise<void>;
}

/** The checks behind each of the three endpoints, in the order in which they are shown. */
export interface HealthChecks {
  readonly livez: readonly HealthCheck[];
  readonly readyz: readonly HealthCheck[];
  /** The old endpoint, deprecated since v1.16. */
  readonly healthz: readonly HealthCheck[];
}

/** The answer of a health endpoint, for the caller to send. */
export interface HealthAnswer {
  /** 200 or 500. */
  readonly code: number;
  readonly body: string;
  readonly contentType: string;
  /** True if the answer has `X-Content-Type-Options: nosniff`: all but single successes, as in kube-apiserver. */
  readonly nosniff: boolean;
  /** Failed checks with their causes, for the log only: the endpoints are public, so the answer names no causes. */
  readonly failures: readonly { readonly name: string; readonly error: unknown }[];
}

/** A check that always holds: that it is answered at all is the point. */
export const pingCheck: HealthCheck = Object.freeze({ name: "ping", check() {} });

const contentType = "text/plain; charset=utf-8";

/**
 * Answers `/livez`, `/readyz`, `/healthz` and `/livez/<name>` in the words of kube-apiserver v1.29, with `?verbose` and
 * `?exclude=<name>`; `undefined` when the path is none of these, which is a 404. Checks run side by side.
 */
export async function answerHealth(
  checks: HealthChecks,
  path: string,
  query: URLSearchParams,
): Promise<HealthAnswer | undefined> {
  const match = /^\/(livez|readyz|healthz)(?:\/(.+))?$/.exec(path);
  if (match === null) {
    return undefined;
  }
  const endpoint = match[1] as keyof HealthChecks;
  const installed = checks[endpoint].length === 0 ? [pingCheck] : checks[endpoint];
  const name = match[2];
  if (name === undefined) {
    const counting = installed.filter(({ isAside }) => isAside !== true);
    return await answerAll(endpoint, counting, query);
  }
  const check = installed.find((candidate) => candidate.name === name);
  return check === undefined ? undefined : await answerOne(check);
}

async function answerOne(check: HealthCheck): Promise<HealthAnswer> {
  const failure = await run(check);
  if (failure === undefined) {
    return { code: 200, body: "ok", contentType, nosniff: false, failures: [] };
  }
  const body = `internal server error: ${messageOf(failure.error)}\n`;
  return { code: 500, body, contentType, nosniff: true, failures: [failure] };
}

async function answerAll(
  endpoint: string,
  checks: readonly HealthCheck[],
  query: URLSearchParams,
): Promise<HealthAnswer> {
  const excluded = new Set(query.getAll("exclude"));
  const results = await Promise.all(checks.map((check) => (excluded.has(check.name) ? undefined : run(check))));
  let lines = "";
  for (const [index, { name }] of checks.entries()) {
    if (excluded.has(name)) {
      lines += `[+]${name} excluded: ok\n`;
    } else {
      lines += results[index] === undefined ? `[+]${name} ok\n` : `[-]${name} failed: reason withheld\n`;
    }
  }
  const unmatched = [...excluded].filter((name) => checks.every((check) => check.name !== name)).sort();
  if (unmatched.length > 0) {
    const quoted = unmatched.map((name) => JSON.stringify(name)).join(",");
    lines += `warn: some health checks cannot be excluded: no matches for ${quoted}\n`;
  }
  const failures = results.filter((result) => result !== undefined);
  if (failures.length > 0) {
    // A failure is always told in full, and ends in a line break as Go's http.Error makes it.
    return { code: 500, body: `${lines}${endpoint} check failed\n`, contentType, nosniff: true, failures };
  }
  const body = query.has("verbose") ? `${lines}${endpoint} check passed\n` : "ok";
  return { code: 200, body, contentType, nosniff: true, failures: [] };
}

async function run(check: HealthCheck): Promise<{ name: string; error: unknown } | undefined> {
  try {
    await check.check();
    return undefined;
  } catch (error) {
    return { name: check.name, error };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
