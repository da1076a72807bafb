export { type Controller, runController } from "./controller.js";
export {
  awaitsCollection,
  hasOwnerReferences,
  isTerminating,
  mayConcernCollector,
  mayHaveOwners,
  metadataOf,
  ownerReferencesText,
  uidOf,
} from "./entry-metadata.js";
export { followWhilePresent } from "./follow-while-present.js";
export { forEachLimited } from "./for-each-limited.js";
export { InProcessObjectClient } from "./in-process-object-client.js";
export type {
  ClientResource,
  ObjectClient,
  ObjectObserver,
  ObservedEvent,
  ObservedObject,
  WantedResource,
} from "./object-client.js";
export { type ObservedStorage, observeCache } from "./observe-cache.js";
export { type ControllerOptions, reconcile, type Source, untilAborted } from "./reconcile.js";
export { ignoreNotFound, isLostRace, isNamespaceGone, isNotFound } from "./status-errors.js";
export { type OnClockAdvance, type QueueClock, WorkQueue, type WorkResult } from "./work-queue.js";
export { type WorkQueueMetrics, type WorkQueueState, workQueueMetrics } from "./work-queue-metrics.js";
