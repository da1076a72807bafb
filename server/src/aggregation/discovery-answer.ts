import { decodeJson } from "@gatehouse/envelopes/codec";
import {
  booleanAt,
  isJsonObject,
  isSet,
  type JsonObject,
  type JsonValue,
  listAt,
  textAt,
  textsAt,
} from "@gatehouse/envelopes/json";
import { messageSchema } from "@gatehouse/envelopes/schema";

const listMessage = "k8s.io.api.apidiscovery.v2beta1.APIGroupDiscoveryList";
const legacyMessage = "k8s.io.apimachinery.pkg.apis.meta.v1.APIResourceList";

/** The Accept header that asks for aggregated discovery, as in v1.29. */
export const aggregatedDiscoveryType = "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";

/** Reports whether a Content-Type is that of aggregated discovery in the version that v1.29 understands. */
export function isAggregatedDiscovery(contentType: string): boolean {
  const [type, ...parameters] = contentType.split(";").map((part) => part.trim());
  return (
    type === "application/json" &&
    ["g=apidiscovery.k8s.io", "v=v2beta1", "as=APIGroupDiscoveryList"].every((wanted) => parameters.includes(wanted))
  );
}

/**
 * Reads an APIGroupDiscoveryList. Returns the APIVersionDiscovery of each group version, by `GROUP/VERSION`, with the
 * members that v1.29 knows. Throws for a document of another form.
 */
export function readAggregatedDiscovery(body: Buffer): ReadonlyMap<string, JsonObject> {
  const list = decoded(listMessage, body);
  const versions = new Map<string, JsonObject>();
  for (const group of listAt(list, "items")) {
    for (const version of listAt(group, "versions").filter(isJsonObject)) {
      const resources = listAt(version, "resources").filter(isJsonObject).map(withResponseKinds);
      const key = `${textAt(group, "metadata", "name")}/${textAt(version, "version")}`;
      versions.set(key, { ...version, ...(resources.length === 0 ? {} : { resources }) });
    }
  }
  return versions;
}

/** Adds empty kinds where none are stated: clients of v1.26 fail without them. */
function withResponseKinds(resource: JsonObject): JsonObject {
  const withKind = (item: JsonObject): JsonObject =>
    isSet(item, "responseKind") ? item : { ...item, responseKind: noKind };
  const subresources = listAt(resource, "subresources").filter(isJsonObject).map(withKind);
  return { ...withKind(resource), ...(subresources.length === 0 ? {} : { subresources }) };
}

const noKind: JsonObject = { group: "", version: "", kind: "" };

/**
 * Reads an APIResourceList of a server without aggregated discovery, as an APIVersionDiscovery. Throws for a document of
 * another form, and when a subresource has another scope than its resource.
 */
export function readLegacyDiscovery(version: string, body: Buffer): JsonObject {
  const rows = listAt(decoded(legacyMessage, body), "resources").filter(isJsonObject);
  const resources = new Map<string, JsonObject>();
  for (const row of rows.filter((item) => !textAt(item, "name").includes("/"))) {
    resources.set(textAt(row, "name"), {
      resource: textAt(row, "name"),
      responseKind: kindOf(row),
      scope: scopeOf(row),
      singularResource: textAt(row, "singularName"),
      verbs: [...textsAt(row, "verbs")],
      ...namesOf(row, "shortNames"),
      ...namesOf(row, "categories"),
    });
  }
  for (const row of rows.filter((item) => textAt(item, "name").includes("/"))) {
    addSubresource(resources, row);
  }
  return { version, ...(resources.size === 0 ? {} : { resources: [...resources.values()] }) };
}

function addSubresource(resources: Map<string, JsonObject>, row: JsonObject): void {
  const name = textAt(row, "name");
  const slash = name.indexOf("/");
  const parentName = name.slice(0, slash);
  const scope = scopeOf(row);
  const parent = resources.get(parentName) ?? {
    resource: parentName,
    responseKind: noKind,
    scope,
    singularResource: "",
    verbs: [],
  };
  if (parent["scope"] !== scope) {
    throw new Error(`the resource ${parentName} and its subresource ${name} have different scopes`);
  }
  const subresource = {
    subresource: name.slice(slash + 1),
    responseKind: textAt(row, "kind") === "" ? noKind : kindOf(row),
    verbs: [...textsAt(row, "verbs")],
  };
  resources.set(parentName, { ...parent, subresources: [...listAt(parent, "subresources"), subresource] });
}

function kindOf(row: JsonObject): JsonObject {
  return { group: textAt(row, "group"), version: textAt(row, "version"), kind: textAt(row, "kind") };
}

function scopeOf(row: JsonObject): string {
  return booleanAt(row, "namespaced") ? "Namespaced" : "Cluster";
}

function namesOf(row: JsonObject, member: "shortNames" | "categories"): JsonObject {
  const names = textsAt(row, member);
  return names.length === 0 ? {} : { [member]: [...names] };
}

function decoded(message: string, body: Buffer): JsonObject {
  const parsed: unknown = JSON.parse(body.toString("utf8"));
  if (!isJsonObject(parsed as JsonValue)) {
    throw new Error("the answer is not an object");
  }
  return decodeJson(messageSchema(message), parsed as JsonObject).object;
}
