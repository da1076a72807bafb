import type { Certificates } from "./certificates.js";
import { collectionPath, configMapJson, numberDigits } from "./config-maps.js";
import type { LoadOperations } from "./load/load-generator.js";
import { numberMark, type RequestTemplate, requestTemplate } from "./load/request-template.js";
import type { Child } from "./processes/child.js";
import type { Gatehouse } from "./processes/gatehouse.js";

/** The creation of a ConfigMap whose name ends in the request's number. */
export function createTemplate(): RequestTemplate {
  const sample = "0".repeat(numberDigits);
  const body = configMapJson(`bench-${sample}`).replace(`bench-${sample}`, `bench-${numberMark}`);
  return requestTemplate("POST", collectionPath, body, numberDigits);
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
    connections: 64,
    request: createTemplate(),
    firstNumber: 0,
    expectedCode: 201,
    count,
  });
}
