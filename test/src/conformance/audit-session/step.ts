/** Who sends a request of the session. */
export type Sender = "admin" | "anonymous" | "jane" | "nobody";

/** One request of the session; its place in the list is its audit ID. */
export interface Step {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** As it is sent. */
  readonly body?: string | Buffer;
  readonly as?: Sender;
  /** The client leaves as soon as the answer begins. */
  readonly leaves?: true;
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
