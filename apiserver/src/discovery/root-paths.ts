import type { JsonObject } from "@gatehouse/envelopes/json";
import { apiVersionOf } from "@gatehouse/envelopes/schema";
import type { ServedApi } from "./served-api.js";

/**
 * Returns the document of `/`: every path that leads somewhere. `otherPaths` are those that are neither discovery nor
 * OpenAPI.
 */
export function rootPathsDocument(api: ServedApi, otherPaths: readonly string[]): JsonObject {
  const paths = new Set(["/api", "/apis", "/apis/", "/openapi/v2", "/openapi/v3", "/openapi/v3/", "/version"]);
  for (const group of api.groups) {
    if (group.name !== "") {
      paths.add(`/apis/${group.name}`);
    }
    for (const served of group.versions) {
      paths.add(groupVersionPath(served));
    }
  }
  for (const path of otherPaths) {
    paths.add(path);
  }
  return { paths: [...paths].sort() };
}

/** Returns the path of a group version: `/api/v1`, `/apis/apps/v1`. */
export function groupVersionPath(gv: { readonly group: string; readonly version: string }): string {
  return `/${gv.group === "" ? "api" : "apis"}/${apiVersionOf(gv)}`;
}
