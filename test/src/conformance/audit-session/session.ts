import { badBodies } from "./requests/bad-bodies.js";
import { callers } from "./requests/callers.js";
import { collections } from "./requests/collections.js";
import { connections } from "./requests/connections.js";
import { lives } from "./requests/lives.js";
import { mediaTypes } from "./requests/media-types.js";
import { outsideResources } from "./requests/outside-resources.js";
import { reviews } from "./requests/reviews.js";
import { subresources } from "./requests/subresources.js";
import { unserved } from "./requests/unserved.js";
import { watches } from "./requests/watches.js";
import { writeOptions } from "./requests/write-options.js";
import { create, type Step } from "./step.js";

/** The requests, in a namespace (and with names) of their own. Later ones find what earlier ones have left. */
export function auditSession(tag: string): readonly Step[] {
  return [
    create("/api/v1/namespaces", { kind: "Namespace", apiVersion: "v1", metadata: { name: tag } }),
    ...lives(tag),
    ...writeOptions(tag),
    ...mediaTypes(tag),
    ...subresources(tag),
    ...reviews(tag),
    ...collections(tag),
    ...watches(tag),
    ...connections(tag),
    ...callers(tag),
    ...badBodies(tag),
    ...unserved(tag),
    ...outsideResources(),
  ];
}
