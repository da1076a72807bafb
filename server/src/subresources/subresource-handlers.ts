import type { CatalogueSource } from "../catalogue/live-catalogue.js";
import type { ServedResource } from "../catalogue/served-resource.js";
import { get } from "../verbs/get.js";
import { patch } from "../verbs/patch.js";
import { update } from "../verbs/update.js";
import { createBinding } from "./binding.js";
import { createEviction } from "./eviction.js";
import { getScale, patchScale, updateScale } from "./scale.js";
import type { SubresourceHandler } from "./subresource-handler.js";

type Handlers = Readonly<Record<string, SubresourceHandler>>;

/** Subresources that are views of the object itself: the same body, other members written. */
const objectView: Handlers = { get: (_environment, context, served) => get(context, served), update, patch };

const scale: Handlers = {
  get: (_environment, context, served) => getScale(context, served),
  update: updateScale,
  patch: patchScale,
};

/** Subresources that reach a node or another server come with a later part; discovery does not tell of them. */
export function isServedSubresource(name: string): boolean {
  return servedSubresources.has(name);
}

const servedSubresources = new Set([
  "approval",
  "binding",
  "ephemeralcontainers",
  "eviction",
  "finalize",
  "scale",
  "status",
]);

/** Finds the handler of a subresource; "notFound" for those that this server does not have. */
export function subresourceHandlers(
  catalogues: CatalogueSource,
): (served: ServedResource, subresource: string, verb: string) => SubresourceHandler | "notFound" | "notAllowed" {
  const byName: Readonly<Record<string, Handlers>> = {
    approval: objectView,
    binding: { create: createBinding },
    ephemeralcontainers: objectView,
    eviction: { create: createEviction(() => catalogues.current.findAnyVersion("policy", "poddisruptionbudgets")) },
    finalize: objectView,
    scale,
    status: objectView,
  };
  return (served, subresource, verb) => {
    const definition = served.definition.subresources.find((item) => item.name === subresource);
    const handlers = byName[subresource];
    if (definition === undefined || handlers === undefined) {
      return "notFound";
    }
    const handler = handlers[verb];
    return handler === undefined || !definition.verbs.some((known) => known === verb) ? "notAllowed" : handler;
  };
}
