/** Sender of a request of the session. */
export type Sender = "admin" | "anonymous" | "jane" | "nobody";

/** One request of the session; its place in the list is its audit ID. */
export interface Step {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Body as sent. */
  readonly body?: string | Buffer;
  readonly as?: Sender;
  /** The client leaves as soon as the answer begins. */
  readonly leaves?: true;
  /** Unusual end of the audit ID, if it has one. */
  readonly auditIdEnd?: string;
}

/** Headers of requests: what is sent (the type of a patch, where that is one), or what is asked for (`table`). */
export const mediaHeaders = {
  json: { "content-type": "application/json" },
  merge: { "content-type": "application/merge-patch+json" },
  strategic: { "content-type": "application/strategic-merge-patch+json" },
  jsonPatch: { "content-type": "application/json-patch+json" },
  apply: { "content-type": "application/apply-patch+yaml" },
  yaml: { "content-type": "application/yaml" },
  protobuf: { "content-type": "application/vnd.kubernetes.protobuf" },
  table: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
} as const;

/** A request for what is at a path. */
export function get(path: string, headers: Step["headers"] = {}): Step {
  return { method: "GET", path, headers };
}

/** A request with a body, JSON if the headers do not say otherwise. */
export function send(method: string, path: string, body: string, headers: Step["headers"] = mediaHeaders.json): Step {
  return { method, path, headers: headers ?? {}, body };
}

/** A POST of a text. */
export function post(path: string, body: string, headers: Step["headers"] = mediaHeaders.json): Step {
  return send("POST", path, body, headers);
}

/** A POST of an object. */
export function create(path: string, object: object): Step {
  return post(path, JSON.stringify(object));
}
