import { numberDigits } from "./load/load-request.js";

/** Bytes of a ConfigMap as the client sends it. */
export const objectBytes = 1024;

export const benchNamespace = "default";
export const collectionPath = `/api/v1/namespaces/${benchNamespace}/configmaps`;

export function configMapName(index: number): string {
  return `bench-${String(index).padStart(numberDigits, "0")}`;
}

/** The JSON of a ConfigMap of exactly `objectBytes`, with a few keys as people have them. */
export function configMapJson(name: string, generation = 0): string {
  const build = (filling: string): string =>
    JSON.stringify({
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: { name, namespace: benchNamespace, labels: { app: "bench", tier: "backend" } },
      data: {
        generation: String(generation).padStart(numberDigits, "0"),
        "log.level": "info",
        "server.properties": filling,
      },
    });
  const filling = "listen=0.0.0.0:8080 timeout=30s retries=3 ".repeat(Math.ceil(objectBytes / 42));
  return build(filling.slice(0, objectBytes - build("").length));
}
