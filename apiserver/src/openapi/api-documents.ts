import { mediaTypes } from "@gatehouse/envelopes/names";
import type { GroupVersionKind } from "@gatehouse/envelopes/schema";
import { isCustomGroup, isCustomGroupVersion } from "../discovery/custom-groups.js";
import { groupVersionPath } from "../discovery/root-paths.js";
import type { ServedApi, ServedGroup, ServedGroupVersion } from "../discovery/served-api.js";
import { type ApiPath, apiPath, type DefinitionOf } from "./paths/api-path.js";
import { groupTitle, groupVersionTitle, tagOf } from "./paths/operation-names.js";

/**
 * A document of OpenAPI v3 before it is written: a group version with its resources, or a list of groups or versions.
 */
export interface ApiDocument {
  /** The path behind `/openapi/v3/`: `apis/apps/v1`. */
  readonly id: string;
  /**
   * The paths beside those of resources: the one that tells about this part of the API itself, which v1.29 leaves out
   * where all resources are custom ones, or those of something that is no API.
   */
  readonly roots?: readonly ApiPath[];
  /** The group version; absent for documents that lead to group versions and depend on their id alone. */
  readonly served?: ServedGroupVersion;
}

/** Returns every document of an API, and those of further paths, sorted by id. */
export function apiDocuments(api: ServedApi, further: readonly ApiDocument[] = []): readonly ApiDocument[] {
  const documents = [
    ...further,
    discovery("api", "get available API versions", "getCoreAPIVersions", "core", meta("APIVersions")),
    discovery("apis", "get available API versions", "getAPIVersions", "apis", meta("APIGroupList")),
    discovery("version", "get the version information for this server", "getCodeVersion", "version", "version", [
      mediaTypes.json,
    ]),
    issuerDocument(
      ".well-known/openid-configuration",
      "get what clients need to know of the issuer of service account tokens (OpenID Connect Discovery)",
      "getServiceAccountIssuerOpenIDConfiguration",
      "WellKnown",
      mediaTypes.json,
    ),
    issuerDocument(
      "openid/v1/jwks",
      "get the public keys by which service account tokens are verified, as a JSON Web Key Set",
      "getServiceAccountIssuerOpenIDKeyset",
      "openid",
      "application/jwk-set+json",
    ),
  ];
  for (const group of api.groups) {
    if (group.name !== "" && !isCustomGroup(group) && !group.versions.every(({ delegated }) => delegated === true)) {
      documents.push(groupDocument(group));
    }
    for (const served of group.versions) {
      if (served.delegated !== true) {
        documents.push(groupVersionDocument(served));
      }
    }
  }
  return documents.sort((a, b) => (a.id < b.id ? -1 : 1));
}

function groupDocument({ name }: ServedGroup): ApiDocument {
  const operationId = `get${groupTitle(name)}APIGroup`;
  return discovery(`apis/${name}`, "get information of a group", operationId, tagOf(name), meta("APIGroup"));
}

function groupVersionDocument(served: ServedGroupVersion): ApiDocument {
  const { group, version } = served;
  const id = groupVersionPath(served).slice(1);
  if (isCustomGroupVersion(served)) {
    return { id, served };
  }
  const operationId = `get${groupVersionTitle(group, version)}APIResources`;
  const document = discovery(
    id,
    "get available resources",
    operationId,
    tagOf(group, version),
    meta("APIResourceList"),
  );
  return { ...document, served };
}

/** Returns the document of an issuer metadata path. v1.29 does not specify its contents. */
function issuerDocument(
  id: string,
  description: string,
  operationId: string,
  tag: string,
  mediaType: string,
): ApiDocument {
  return discovery(id, description, operationId, tag, "text", [mediaType], []);
}

function meta(kind: string): GroupVersionKind {
  return { group: "", version: "v1", kind };
}

function discovery(
  id: string,
  description: string,
  operationId: string,
  tag: string,
  type: DefinitionOf,
  produces: readonly string[] = [mediaTypes.json, mediaTypes.yaml, mediaTypes.protobuf],
  consumes = produces,
): ApiDocument {
  const root = apiPath(
    `/${id}/`,
    [],
    [
      {
        method: "get",
        operationId,
        description,
        tag,
        consumes,
        produces,
        parameters: [],
        responses: [
          { code: 200, description: "OK", type },
          { code: 401, description: "Unauthorized" },
        ],
      },
    ],
  );
  return { id, roots: [root] };
}
