import { mediaTypes } from "@gatehouse/envelopes/names";
import { groupVersionPath } from "../../discovery/root-paths.js";
import type { DiscoveredResource } from "../../discovery/served-api.js";
import { type ApiOperation, type ApiParameter, type ApiPath, apiPath } from "./api-path.js";
import { groupVersionTitle, tagOf } from "./operation-names.js";
import { nameParameter, namespaceParameter, prettyParameter } from "./parameters.js";
import {
  article,
  createOperation,
  deleteCollectionOperation,
  deleteOperation,
  listOperation,
  type Operations,
  readWriteOperations,
  watchOperation,
} from "./resource-operations.js";
import { type ResourcePlace, subresourcePaths } from "./subresource-paths.js";

/** Returns every path of a resource and its subresources, the deprecated watch paths included. */
export function resourcePaths(place: ResourcePlace): ApiPath[] {
  const { group, version, resource } = place;
  const root = groupVersionPath({ group, version });
  const custom = resource.openAPIV3Schema !== undefined;
  const operations: Operations = {
    kind: { group, version, kind: resource.kind },
    tag: tagOf(group, version),
    title: groupVersionTitle(group, version),
    target: `${resource.namespaced ? "Namespaced" : ""}${resource.kind}`,
    produces: custom ? [mediaTypes.json, mediaTypes.yaml] : [mediaTypes.json, mediaTypes.yaml, mediaTypes.protobuf],
    custom,
  };
  const scope = resource.namespaced ? [namespaceParameter] : [];
  const below = resource.namespaced ? "/namespaces/{namespace}" : "";
  const collection = `${below}/${resource.resource}`;
  const one = `${collection}/{name}`;
  const name = nameParameter(resource.kind);
  const paths = [
    apiPath(`${root}${collection}`, [...scope, prettyParameter], collectionOperations(operations, resource)),
    apiPath(`${root}${one}`, [...scope, name, prettyParameter], objectOperations(operations, resource)),
    ...resource.subresources.flatMap((subresource) =>
      subresourcePaths(place, operations, subresource, `${root}${one}`, [...scope, name]),
    ),
  ];
  if (resource.verbs.includes("list") && resource.namespaced) {
    const all = { ...operations, target: `${resource.kind}ForAllNamespaces` };
    paths.push(apiPath(`${root}/${resource.resource}`, [prettyParameter], [listOperation(all)]));
  }
  if (resource.verbs.includes("watch") && !custom) {
    paths.push(...watchPaths(operations, resource, root, collection, [...scope, prettyParameter], name));
  }
  return paths.filter((path) => path.operations.length > 0);
}

function collectionOperations(operations: Operations, resource: DiscoveredResource): ApiOperation[] {
  const { verbs } = resource;
  return [
    ...(verbs.includes("list") ? [listOperation(operations)] : []),
    ...(verbs.includes("create") ? [createOperation(operations, `create ${article(resource.kind)}`)] : []),
    ...(verbs.includes("deletecollection") ? [deleteCollectionOperation(operations)] : []),
  ];
}

function objectOperations(operations: Operations, resource: DiscoveredResource): ApiOperation[] {
  const { verbs } = resource;
  const what = `the specified ${resource.kind}`;
  return [
    ...readWriteOperations(operations, verbs, what),
    ...(verbs.includes("delete") ? [deleteOperation(operations, resource)] : []),
  ];
}

const deprecation = "deprecated: use the 'watch' parameter with a list operation instead";

function watchPaths(
  operations: Operations,
  resource: DiscoveredResource,
  root: string,
  collection: string,
  parameters: readonly ApiParameter[],
  name: ApiParameter,
): ApiPath[] {
  const listDescription = `watch individual changes to a list of ${resource.kind}. ${deprecation}.`;
  const oneDescription = `watch changes to an object of kind ${resource.kind}. ${deprecation}, filtered to a single item with the 'fieldSelector' parameter.`;
  const list = (target: string): ApiOperation =>
    watchOperation({ ...operations, target }, "watchlist", listDescription);
  const paths = [
    apiPath(`${root}/watch${collection}`, parameters, [list(`${operations.target}List`)]),
    apiPath(
      `${root}/watch${collection}/{name}`,
      [...parameters, name],
      [watchOperation(operations, "watch", oneDescription)],
    ),
  ];
  if (resource.namespaced) {
    const target = `${resource.kind}ListForAllNamespaces`;
    paths.push(apiPath(`${root}/watch/${resource.resource}`, [prettyParameter], [list(target)]));
  }
  return paths;
}
