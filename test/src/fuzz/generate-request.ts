import { deleteOptionsBody, type FuzzBody, objectBody } from "./bodies.js";
import type { FuzzRequest } from "./fuzz-request.js";
import { contentTypeFor, oddHeaderSet } from "./headers.js";
import { patchBody } from "./patches.js";
import { oddQuery } from "./queries.js";
import { createRandom, type Random } from "./random.js";
import { rawHttp1, rawHttp2 } from "./raw-requests.js";
import { collectionPath, fuzzName, fuzzNamespaces, oddPath } from "./targets.js";
import { type FuzzTarget, fuzzTargets } from "./templates.js";

interface Parts {
  readonly method: string;
  readonly path: string;
  readonly body?: FuzzBody;
}

type Family = (random: Random, target: FuzzTarget) => Parts;

const families: readonly (readonly [weight: number, name: string, family: Family])[] = [
  [14, "create", createOne],
  [10, "update", updateOne],
  [20, "patch", patchOne],
  [4, "delete", deleteOne],
  [0.3, "delete collection", deleteCollection],
  [5, "get", getOne],
  [6, "list", list],
  [2, "watch", watch],
  [5, "odd path", odd],
  [2, "odd method", oddMethod],
];

/** Request number `index` of the run with this seed; always the same one. */
export function generateRequest(seed: number, index: number): FuzzRequest {
  const random = createRandom(seed, index);
  if (random.chance(0.01)) {
    return rawRequest(random, index);
  }
  const target = random.pick(fuzzTargets);
  const chosen = random.weighted(families.map(([weight, name, make]) => [weight, () => ({ name, make })] as const));
  const { method, path, body } = chosen.make(random, target);
  const isWatch = chosen.name === "watch" || /\/watch(\/|$)/.test(path);
  const query = isWatch ? watchQuery(random) : queryFor(random, body);
  const headers = oddHeaderSet(random);
  if (body !== undefined) {
    const contentType = contentTypeFor(random, body.contentType);
    if (contentType !== "") {
      headers["content-type"] = contentType;
    }
  }
  return {
    index,
    family: chosen.name,
    protocol: random.chance(0.35) ? "HTTP/2" : "HTTP/1.1",
    method,
    target: path + query,
    headers,
    body: body?.bytes,
  };
}

/** An apply without a manager is refused before anybody looks at it. */
function queryFor(random: Random, body: FuzzBody | undefined): string {
  return body?.contentType === "application/apply-patch+yaml" && random.chance(0.9)
    ? `?fieldManager=${random.pick(["m", "n"])}${random.chance(0.7) ? "&force=true" : ""}`
    : oddQuery(random);
}

function rawRequest(random: Random, index: number): FuzzRequest {
  const rawProtocol = random.chance(0.3) ? "h2" : "http/1.1";
  return {
    index,
    family: `raw ${rawProtocol}`,
    protocol: "raw",
    method: "",
    target: "",
    headers: {},
    body: undefined,
    rawBytes: rawProtocol === "h2" ? rawHttp2(random) : rawHttp1(random),
    rawProtocol,
  };
}

function createOne(random: Random, target: FuzzTarget): Parts {
  const body = objectBody(random, bodyTarget(random, target), fuzzName(random));
  return { method: "POST", path: collectionOf(random, target), body };
}

function updateOne(random: Random, target: FuzzTarget): Parts {
  const name = fuzzName(random);
  const path = `${collectionOf(random, target)}/${name}${subresource(random)}`;
  return { method: "PUT", path, body: objectBody(random, bodyTarget(random, target), name) };
}

function patchOne(random: Random, target: FuzzTarget): Parts {
  const path = `${collectionOf(random, target)}/${fuzzName(random)}${subresource(random)}`;
  return { method: "PATCH", path, body: patchBody(random, target) };
}

function deleteOne(random: Random, target: FuzzTarget): Parts {
  const path = `${collectionOf(random, target)}/${fuzzName(random)}`;
  return random.chance(0.5) ? { method: "DELETE", path } : { method: "DELETE", path, body: deleteOptionsBody(random) };
}

function deleteCollection(random: Random, target: FuzzTarget): Parts {
  const path = collectionOf(random, target);
  return random.chance(0.5) ? { method: "DELETE", path } : { method: "DELETE", path, body: deleteOptionsBody(random) };
}

function getOne(random: Random, target: FuzzTarget): Parts {
  const method = random.chance(0.9) ? "GET" : "HEAD";
  return { method, path: `${collectionOf(random, target)}/${fuzzName(random)}${subresource(random)}` };
}

function list(random: Random, target: FuzzTarget): Parts {
  return { method: random.chance(0.95) ? "GET" : "HEAD", path: collectionOf(random, target) };
}

function watch(random: Random, target: FuzzTarget): Parts {
  return { method: "GET", path: collectionOf(random, target) };
}

/** A watch ends by itself after a second at the most. */
function watchQuery(random: Random): string {
  const rest = oddQuery(random)
    .replace(/^\?/, "&")
    .replaceAll(/timeoutSeconds=[^&;]*/g, "");
  return `?watch=${random.pick(["1", "true", ""])}&timeoutSeconds=1${rest}`;
}

/**
 * Returns a request with an odd path. Only paths of the fuzzer are written to, since an odd path may name any object.
 */
function odd(random: Random, target: FuzzTarget): Parts {
  const path = oddPath(random, target);
  const writes = path.includes("fuzz-") && random.chance(0.3);
  return writes
    ? { method: random.pick(["POST", "PUT", "PATCH"]), path, body: objectBody(random, target, fuzzName(random)) }
    : { method: random.pick(["GET", "GET", "GET", "HEAD"]), path };
}

function oddMethod(random: Random, target: FuzzTarget): Parts {
  const path = `${collectionOf(random, target)}${random.chance(0.5) ? `/${fuzzName(random)}` : ""}`;
  const method = random.pick(["OPTIONS", "TRACE", "PROPFIND", "PURGE", "LINK", "M-SEARCH", "PUT", "PATCH", "POST"]);
  return { method, path };
}

function collectionOf(random: Random, target: FuzzTarget): string {
  return collectionPath(target, random.pick(fuzzNamespaces));
}

/** Now and then the body is of another kind than the path. */
function bodyTarget(random: Random, target: FuzzTarget): FuzzTarget {
  return random.chance(0.95) ? target : random.pick(fuzzTargets);
}

function subresource(random: Random): string {
  return random.chance(0.85)
    ? ""
    : random.pick(["/status", "/scale", "/log", "/exec", "/eviction", "/binding", "/none", "/status/x", "/"]);
}
