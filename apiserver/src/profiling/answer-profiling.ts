import type { ProfileKind } from "./collect-profiles.js";

/** A request below `/debug/pprof/`. */
export interface ProfilingRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** The answer to such a request. */
export interface ProfilingAnswer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The path below which profiles are. */
export const profilingPrefix = "/debug/pprof/";

const plain = { "Content-Type": "text/plain; charset=utf-8", "X-Content-Type-Options": "nosniff" };
/** The longest time in seconds for which a process is watched. */
const maxSeconds = 300;

/** The profiles of V8, with the seconds for which the process is watched unless the request says how many. */
const profiles: ReadonlyMap<string, { readonly kind: ProfileKind; readonly seconds: number; readonly about: string }> =
  new Map([
    ["profile", { kind: "profile", seconds: 30, about: "Where the processor spends its time." }],
    ["heap", { kind: "heap", seconds: 5, about: "Memory allocated while it is watched, and still in use afterwards." }],
    ["allocs", { kind: "allocs", seconds: 5, about: "All memory allocated while it is watched." }],
  ]);

/** Profiles of Go that V8 has nothing for, each with the reason. */
const absent: ReadonlyMap<string, string> = new Map([
  ["goroutine", "this process has no goroutines"],
  ["threadcreate", "V8 does not tell who has made its threads"],
  ["block", "nothing blocks in JavaScript: see the CPU profile for what holds up the event loop"],
  ["mutex", "JavaScript has no locks to contend for"],
  ["trace", "V8 has no execution trace in the format of Go"],
]);

let isCollecting = false;

/** Answers a request below `/debug/pprof/`, as Go's handlers do; undefined for a path that is not below it. */
export async function answerProfiling(request: ProfilingRequest): Promise<ProfilingAnswer | undefined> {
  const { path } = request;
  if (path === "/debug/pprof") {
    return { code: 301, headers: { Location: profilingPrefix }, body: Buffer.alloc(0) };
  }
  if (!path.startsWith(profilingPrefix)) {
    return undefined;
  }
  const name = path.slice(profilingPrefix.length);
  if (name === "") {
    return { code: 200, headers: { "Content-Type": "text/html; charset=utf-8" }, body: Buffer.from(indexPage()) };
  }
  if (name === "cmdline") {
    return text(200, process.argv.join("\0"));
  }
  if (name === "symbol") {
    // Profiles carry their names, so that there is nothing to look up.
    return text(200, "num_symbols: 0\n");
  }
  const profile = profiles.get(name);
  if (profile !== undefined) {
    return collect(name, profile, request);
  }
  const reason = absent.get(name);
  return text(404, reason === undefined ? "Unknown profile\n" : `The profile ${name} does not exist here: ${reason}\n`);
}

async function collect(
  name: string,
  { kind, seconds: usual }: { readonly kind: ProfileKind; readonly seconds: number },
  { query, signal }: ProfilingRequest,
): Promise<ProfilingAnswer> {
  const asked = query.get("seconds");
  const seconds = asked === null ? usual : Number(asked);
  if (!Number.isFinite(seconds) || seconds <= 0 || seconds > maxSeconds) {
    return text(400, `seconds must be a number up to ${maxSeconds}\n`);
  }
  if (isCollecting) {
    return text(500, "Could not start profiling: another profile is being collected\n");
  }
  isCollecting = true;
  try {
    const { collectProfile } = await import("./collect-profiles.js");
    const body = await collectProfile(kind, seconds, signal);
    const headers = {
      "Content-Type": "application/octet-stream",
      "Content-Disposition": `attachment; filename="${name}"`,
      "X-Content-Type-Options": "nosniff",
    };
    return { code: 200, headers, body };
  } finally {
    isCollecting = false;
  }
}

function text(code: number, content: string): ProfilingAnswer {
  return { code, headers: plain, body: Buffer.from(content) };
}

function indexPage(): string {
  const rows = [...profiles].map(
    ([name, { about, seconds }]) =>
      `<li><a href="${name}">${name}</a>: ${about} Watches for ${seconds} s, or ?seconds=.</li>`,
  );
  const others = [...absent].map(([name, reason]) => `<li>${name}: ${reason}.</li>`);
  return `<!doctype html>
<title>/debug/pprof/</title>
<h1>/debug/pprof/</h1>
<p>Profiles in the format of pprof, for <code>go tool pprof</code>:</p>
<ul>
${rows.join("\n")}
<li><a href="cmdline">cmdline</a>: The command line of the process.</li>
</ul>
<p>Profiles of Go that do not exist here:</p>
<ul>
${others.join("\n")}
</ul>
`;
}
