import type { ApiClient } from "../../spec/support/api-client.js";

/** An object that kube-apiserver accepts, and the collection where it is created: all cases up to the next one spoil it. */
export interface RecordedObject {
  readonly collection: string;
  readonly object: Json;
}

/** One request and what kube-apiserver 1.29 answered. */
export interface RecordedCase {
  /** POST to the collection, or PUT of the object or of a subresource. All are dry runs. */
  readonly write: "create" | "update" | "status" | "approval";
  /** Members that are set, by path, in the accepted object or in the stored one; without a value they are left out. */
  readonly set: readonly (readonly [path: readonly string[], value?: Json])[];
  readonly code: number;
  /** Causes of a 422: `[reason, field, message]`. They determine its message. */
  readonly causes?: readonly (readonly [reason: string, field: string, message: string])[];
  /** Reason of another refusal. */
  readonly reason?: string;
  readonly message?: string;
}

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Sends the request of a case. `name` is that of the stored object; new ones get another. */
export async function sendCase(
  client: ApiClient,
  { collection, object }: RecordedObject,
  { write, set }: RecordedCase,
): Promise<{ code: number; body: Json }> {
  const { name } = (object as { metadata: { name: string } }).metadata;
  const path = `${collection}/${name}`;
  const query = "?dryRun=All";
  const answer =
    write === "create"
      ? await client.post(`${collection}${query}`, changed(renamed(object, name), set))
      : await client.put(
          `${path}${write === "update" ? "" : `/${write}`}${query}`,
          changed((await client.get(path)).document as unknown as Json, set),
        );
  return { code: answer.status, body: answer.document as unknown as Json };
}

/** Services of API groups have the only name that they can have. */
function renamed(object: Json, name: string): Json {
  const { kind } = object as { kind: string };
  return kind === "APIService" ? object : changed(object, [[["metadata", "name"], `${name.slice(0, 60)}-2`]]);
}

function changed(object: Json, set: RecordedCase["set"]): Json {
  const copy = structuredClone(object);
  for (const [path, value] of set) {
    let holder: Json | undefined = copy;
    for (const key of path.slice(0, -1)) {
      holder = (holder as { [name: string]: Json } | undefined)?.[key];
    }
    const last = path.at(-1) ?? "";
    if (holder === null || typeof holder !== "object") {
      continue;
    }
    if (value !== undefined) {
      (holder as { [name: string]: Json })[last] = value;
    } else if (Array.isArray(holder)) {
      holder.splice(Number(last), 1);
    } else {
      delete holder[last];
    }
  }
  return copy;
}
