import type { ServedResource } from "../registry/served-resource.js";
import { get } from "../verbs/reading/get.js";
import { type HandlersOfKinds, handlersKey, type VerbHandler, type VerbHandlers } from "../verbs/verb-handler.js";
import { patch } from "../verbs/writing/patch.js";
import { update } from "../verbs/writing/update.js";
import { getScale, patchScale, updateScale } from "./scale.js";

/** Handlers of subresources that are views of the object itself: the same body, other members written. */
const objectView: VerbHandlers = { get, update, patch };

const scale: VerbHandlers = { get: getScale, update: updateScale, patch: patchScale };

/** Finds the handler of a subresource; "notFound" for those that this server does not have. */
export function subresourceHandlers(
  ofKinds: HandlersOfKinds,
): (served: ServedResource, subresource: string, verb: string) => VerbHandler | "notFound" | "notAllowed" {
  return (served, subresource, verb) => {
    const definition = served.definition.subresources.find((item) => item.name === subresource);
    const handledBy = definition?.connect === undefined ? definition?.handledBy : "kind";
    if (definition === undefined || handledBy === undefined) {
      return "notFound";
    }
    const mechanisms = { object: objectView, scale, kind: ofKinds.get(handlersKey(served, subresource)) };
    const handler = mechanisms[handledBy]?.[verb];
    return handler === undefined || !definition.verbs.some((known) => known === verb) ? "notAllowed" : handler;
  };
}
