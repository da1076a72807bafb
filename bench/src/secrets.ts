import { benchNamespace, objectBytes } from "./config-maps.js";
import { type LoadRequest, numberDigits, numberMark } from "./load/load-request.js";

export const secretsPath = `/api/v1/namespaces/${benchNamespace}/secrets`;

/** The JSON of a Secret of about `objectBytes`. */
export function secretJson(name: string): string {
  const password = Buffer.alloc((objectBytes * 3) / 5, "password ").toString("base64");
  const metadata = { name, namespace: benchNamespace, labels: { app: "bench" } };
  return JSON.stringify({ kind: "Secret", apiVersion: "v1", metadata, type: "Opaque", data: { password } });
}

/** The creation of a Secret whose name ends in the request's number. */
export function secretCreation(): LoadRequest {
  const sample = `bench-${"0".repeat(numberDigits)}`;
  return { method: "POST", path: secretsPath, body: secretJson(sample).replace(sample, `bench-${numberMark}`) };
}
