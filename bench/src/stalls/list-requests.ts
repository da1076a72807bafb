import { collectionPath } from "../config-maps.js";
import type { StallRequest } from "./stall-request.js";
import type { StallHttpRequest } from "./stall-target.js";

/** The form in which kubectl asks for tables. */
export const tableType = "application/json;as=Table;v=v1;g=meta.k8s.io";

/** Answers that are made of every stored object, or of everything that is served. */
export const listRequests: readonly StallRequest[] = [
  ask("list all as JSON", { path: collectionPath }),
  ask("list all as protobuf", { path: collectionPath, headers: { accept: "application/vnd.kubernetes.protobuf" } }),
  ask("list all as a Table", { path: collectionPath, headers: { accept: tableType } }),
  ask("list all, indented", { path: `${collectionPath}?pretty=1` }),
  ask("list 2,000 as YAML", { path: `${collectionPath}?limit=2000`, headers: { accept: "application/yaml" } }),
  ask("list all by a label, the first time", { path: `${collectionPath}?labelSelector=app%3Dnone` }, true),
  ask("delete all, dry run", { method: "DELETE", path: `${collectionPath}?dryRun=All` }),
  ask("watch all as Tables", {
    path: `${collectionPath}?watch=1&resourceVersion=0&timeoutSeconds=3`,
    headers: { accept: tableType },
  }),
  ask("/openapi/v2 as JSON, the first time", { path: "/openapi/v2", headers: { accept: "application/json" } }, true),
];

function ask(name: string, request: StallHttpRequest, onlyFirst = false): StallRequest {
  return { name, onlyFirst, prepare: () => (target) => target.send(request) };
}
