import type { Certificates } from "./certificates.js";
import { collectionPath, configMapJson } from "./config-maps.js";
import type { LoadOperations } from "./load/load-generator.js";
import { type LoadRequest, numberDigits, numberMark } from "./load/load-request.js";
import type { Child } from "./processes/child.js";
import type { Gatehouse } from "./processes/gatehouse.js";

/** The creation of a ConfigMap whose name ends in the request's number. */
export function createRequest(): LoadRequest {
  const sample = "0".repeat(numberDigits);
  const body = configMapJson(`bench-${sample}`).replace(`bench-${sample}`, `bench-${numberMark}`);
  return { method: "POST", path: collectionPath, body };
}

/** Creates `count` ConfigMaps through the API. */
export async function fill(
  load: Child<LoadOperations>,
  gatehouse: Gatehouse,
  certificates: Certificates,
  count: number,
): Promise<void> {
  await load.call("send", {
    port: gatehouse.port,
    certificates,
    protocol: "HTTP/1.1",
    connections: 64,
    streams: 1,
    request: createRequest(),
    firstNumber: 0,
    expectedCode: 201,
    count,
  });
}
