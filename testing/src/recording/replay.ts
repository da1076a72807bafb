import { readFile } from "node:fs/promises";
import type { ClusterAccess } from "../cluster-access.js";
import type { ControlPlane } from "../control-plane.js";
import type { RecordedRequest } from "./recording.js";

/** A request that has been sent again, and the codes of both answers. */
export interface ReplayedRequest {
  readonly request: RecordedRequest;
  readonly status: number;
}

const timeoutMs = 60_000;

/**
 * Sends the requests of a recording again, one after the other, each as the user of then; watches, and requests whose
 * bodies were not kept as text, are left out. Secrets are what stands for them. Resolves to the requests that were sent,
 * with their new codes. Users of the same names are replaced. Rejects with TypeError for a file that is no recording.
 */
export async function replay(cluster: ControlPlane, file: string): Promise<readonly ReplayedRequest[]> {
  const replayed: ReplayedRequest[] = [];
  const accesses = new Map<string, ClusterAccess>();
  const text = await readFile(file, "utf8");
  for (const [index, line] of text.split("\n").entries()) {
    const request = line === "" ? undefined : requestOf(line, `${file}:${index + 1}`);
    if (request === undefined || !canBeSent(request)) {
      continue;
    }
    const { user, groups, method, path, body, contentType } = request;
    const known = JSON.stringify([user, groups]);
    const access = accesses.get(known) ?? (await accessOf(cluster, request));
    accesses.set(known, access);
    const answer = await access.client.request({
      method,
      path,
      ...(body === "" ? {} : { body, headers: { "content-type": contentType } }),
      signal: AbortSignal.timeout(timeoutMs),
      timeoutMs,
    });
    replayed.push({ request, status: answer.status });
  }
  return replayed;
}

/** Returns the access of a user with the groups of then. The user of that name, if there is one, is replaced. */
function accessOf(cluster: ControlPlane, { user, groups }: RecordedRequest): Promise<ClusterAccess> {
  return cluster.addUser({ name: user, groups: groups.filter((group) => group !== authenticated) });
}

const authenticated = "system:authenticated";

function canBeSent({ user, path, body, isCutOff }: RecordedRequest): boolean {
  const isWatch = /[?&]watch=(true|1)\b/.test(path) || /[?&]follow=(true|1)\b/.test(path);
  return user !== "" && user !== "system:anonymous" && !isWatch && !isCutOff && !/^<\d+ bytes>$/.test(body);
}

function requestOf(line: string, source: string): RecordedRequest {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null && "method" in value && "path" in value && "user" in value) {
      return value as RecordedRequest;
    }
  } catch {
    // Told below.
  }
  throw new TypeError(`${source}: is not a request of a recording`);
}
