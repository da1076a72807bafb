import type { PlainAnswer, PlainRequest } from "@gatehouse/component-base/grpc-server";
import type { Store } from "../store.js";
import { clusterVersion, spokenVersion } from "./spoken-version.js";

/** The store that probes ask about, and answers to paths that etcd does not have, in JSON. */
export interface ProbedStore {
  readonly store: Pick<Store, "ping" | "condition">;
  readonly furtherAnswers?: ReadonlyMap<string, string> | undefined;
}

/** A check of `/livez` or `/readyz`. Rejects when it fails. */
type Check = (store: ProbedStore["store"]) => Promise<void>;

const read: Check = (store) => store.ping();

/**
 * Passes always: etcd's alarm CORRUPT means members whose data differ, and there is one member. A damaged record keeps no other
 * from being served, so no probe may end a server that has one (decision 0009).
 */
const noMemberDiffers: Check = async () => {};

/** The checks of these two paths by name. Both reads are one here: the member is its own quorum. */
const checks: ReadonlyMap<string, ReadonlyMap<string, Check>> = new Map([
  ["/livez", new Map([["serializable_read", read]])],
  [
    "/readyz",
    new Map([
      ["data_corruption", noMemberDiffers],
      ["serializable_read", read],
      ["linearizable_read", read],
    ]),
  ],
]);

const plainText = { "content-type": "text/plain; charset=utf-8" };
const unsniffed = { ...plainText, "x-content-type-options": "nosniff" };

/** Answers what probes and tools ask for beside the API, as etcd does: `/health`, `/livez`, `/readyz` and `/version`. */
export async function answerProbe({ method, target }: PlainRequest, probed: ProbedStore): Promise<PlainAnswer> {
  const [path = "", query = ""] = target.split("?", 2);
  const answer = answerTo(path, new URLSearchParams(query), probed);
  if (answer === undefined) {
    return failure(404, "404 page not found");
  }
  if (method !== "GET") {
    const { status, headers, body } = failure(405, "Method Not Allowed");
    return { status, headers: { ...headers, allow: "GET" }, body };
  }
  return await answer();
}

/** Returns the function that answers a path; undefined when there is none. */
function answerTo(path: string, query: URLSearchParams, probed: ProbedStore): (() => Promise<PlainAnswer>) | undefined {
  const { store, furtherAnswers } = probed;
  if (path === "/health") {
    return () => answerHealth(store, new Set(query.getAll("exclude")));
  }
  if (path === "/version") {
    return async () => json(JSON.stringify({ etcdserver: spokenVersion, etcdcluster: clusterVersion }));
  }
  const further = furtherAnswers?.get(path);
  if (further !== undefined) {
    return async () => json(further);
  }
  const wanted = checksOf(path, new Set(query.getAll("exclude")));
  return wanted && (() => answerChecks(store, wanted, query.has("verbose")));
}

/** Returns the checks that a path asks for, all of one or a single one; undefined when it is none of theirs. */
function checksOf(path: string, excluded: ReadonlySet<string>): readonly (readonly [string, Check])[] | undefined {
  const all = checks.get(path);
  if (all !== undefined) {
    return [...all].filter(([name]) => !excluded.has(name));
  }
  const [root = "", name = "", ...others] = path.slice(1).split("/");
  const check = others.length === 0 ? checks.get(`/${root}`)?.get(name) : undefined;
  return check && [[name, check]];
}

async function answerHealth(store: ProbedStore["store"], excluded: ReadonlySet<string>): Promise<PlainAnswer> {
  const isFull = store.condition().writing !== undefined && !excluded.has("NOSPACE");
  const reason = isFull ? "ALARM NOSPACE" : await problemOf(() => store.ping(), "RANGE ERROR:");
  const body = JSON.stringify({ health: String(reason === undefined), reason: reason ?? "" });
  return reason === undefined ? { status: 200, headers: plainText, body } : failure(503, body);
}

async function answerChecks(
  store: ProbedStore["store"],
  wanted: readonly (readonly [string, Check])[],
  isVerbose: boolean,
): Promise<PlainAnswer> {
  let hasFailed = false;
  let details = "";
  for (const [name, check] of wanted) {
    const problem = await problemOf(() => check(store), "");
    hasFailed ||= problem !== undefined;
    details += problem === undefined ? `[+]${name} ok\n` : `[-]${name} failed: ${problem}\n`;
  }
  return hasFailed
    ? failure(503, details)
    : { status: 200, headers: unsniffed, body: isVerbose ? `${details}ok\n` : "ok\n" };
}

async function problemOf(work: () => Promise<void>, prefix: string): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return prefix + (error instanceof Error ? error.message : String(error));
  }
}

function json(body: string): PlainAnswer {
  return { status: 200, headers: { "content-type": "application/json" }, body };
}

/** Makes an answer with the text of a failure, as Go writes it. */
function failure(status: number, text: string): PlainAnswer {
  return { status, headers: unsniffed, body: `${text}\n` };
}
