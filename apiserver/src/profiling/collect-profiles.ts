import { type HeapProfiler, type Profiler, Session } from "node:inspector/promises";
import { setTimeout as wait } from "node:timers/promises";
import { type CallFrame, encodeProfile, type StackSample } from "./pprof-profile.js";

/** The sorts of profiles that V8 can give: time on the processor, live memory, and all memory that was allocated. */
export type ProfileKind = "profile" | "heap" | "allocs";

/** The time between two samples of the processor in microseconds: a hundred a second, as Go takes them. */
const cpuIntervalUs = 10_000;
/** The mean number of allocated bytes between two samples, as in Go. */
const heapIntervalBytes = 512 * 1024;

/** Frames of V8 that stand for no work. */
const idle: ReadonlySet<string> = new Set(["(idle)", "(program)"]);

/**
 * Watches this process for a while, and returns a packed pprof profile. What was collected is dropped, and the signal's
 * reason thrown, when the signal aborts. Only one profile may be collected at a time.
 */
export async function collectProfile(kind: ProfileKind, seconds: number, signal: AbortSignal): Promise<Buffer> {
  const session = new Session();
  session.connect();
  try {
    return await (kind === "profile"
      ? cpuProfile(session, seconds, signal)
      : heapProfile(session, kind, seconds, signal));
  } finally {
    session.disconnect();
  }
}

async function cpuProfile(session: Session, seconds: number, signal: AbortSignal): Promise<Buffer> {
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: cpuIntervalUs });
  const startedAtMs = Date.now();
  await session.post("Profiler.start");
  await wait(seconds * 1000, undefined, { signal });
  const { profile } = await session.post("Profiler.stop");
  const cpu = { type: "cpu", unit: "nanoseconds" };
  return encodeProfile({
    sorts: [{ type: "samples", unit: "count" }, cpu],
    samples: cpuSamples(profile),
    period: { sort: cpu, value: cpuIntervalUs * 1000 },
    startedAtMs,
    durationMs: (profile.endTime - profile.startTime) / 1000,
  });
}

/** Adds up the samples of each node of the tree of calls. */
function* cpuSamples({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Generator<StackSample> {
  const measured = new Map<number, { count: number; nanoseconds: number }>();
  for (const [index, id] of samples.entries()) {
    const sum = measured.get(id) ?? { count: 0, nanoseconds: 0 };
    sum.count++;
    sum.nanoseconds += Math.max(0, timeDeltas[index] ?? 0) * 1000;
    measured.set(id, sum);
  }
  const parents = new Map<number, Profiler.ProfileNode>();
  for (const node of nodes) {
    for (const child of node.children ?? []) {
      parents.set(child, node);
    }
  }
  for (const node of nodes) {
    const sum = measured.get(node.id);
    if (sum !== undefined && !idle.has(node.callFrame.functionName)) {
      yield { stack: stackOf(node, parents), values: [sum.count, sum.nanoseconds] };
    }
  }
}

function stackOf(node: Profiler.ProfileNode, parents: ReadonlyMap<number, Profiler.ProfileNode>): CallFrame[] {
  const stack: CallFrame[] = [];
  for (let at: Profiler.ProfileNode | undefined = node; at !== undefined; at = parents.get(at.id)) {
    if (at.callFrame.functionName !== "(root)") {
      stack.push(at.callFrame);
    }
  }
  return stack;
}

async function heapProfile(
  session: Session,
  kind: "heap" | "allocs",
  seconds: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const all = kind === "allocs";
  const startedAtMs = Date.now();
  await session.post("HeapProfiler.startSampling", {
    samplingInterval: heapIntervalBytes,
    includeObjectsCollectedByMajorGC: all,
    includeObjectsCollectedByMinorGC: all,
  });
  await wait(seconds * 1000, undefined, { signal });
  const { profile } = await session.post("HeapProfiler.stopSampling");
  return encodeProfile({
    sorts: [{ type: all ? "alloc_space" : "inuse_space", unit: "bytes" }],
    samples: heapSamples(profile.head, []),
    period: { sort: { type: "space", unit: "bytes" }, value: heapIntervalBytes },
    startedAtMs,
    durationMs: Date.now() - startedAtMs,
  });
}

function* heapSamples(
  node: HeapProfiler.SamplingHeapProfileNode,
  callers: readonly CallFrame[],
): Generator<StackSample> {
  const { callFrame, selfSize, children } = node;
  const stack = callFrame.functionName === "(root)" ? callers : [callFrame, ...callers];
  if (selfSize > 0 && stack.length > 0) {
    yield { stack, values: [selfSize] };
  }
  for (const child of children) {
    yield* heapSamples(child, stack);
  }
}
