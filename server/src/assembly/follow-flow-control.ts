import {
  compileFlowSchema,
  type FlowControl,
  type FlowSchema,
  type PriorityLevel,
  readPriorityLevel,
} from "@gatehouse/apiserver/flow-control";
import type { ServerParts } from "@gatehouse/apiserver/server";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { flowSchemas, priorityLevels } from "../controllers/flow-control/flow-control-resources.js";

/**
 * Configures priority and fairness by the stored objects, now and whenever they change. Resolves when all of them are
 * known. Does nothing without fairness.
 */
export async function followFlowControl({
  flowControl,
  objectSource,
}: Pick<ServerParts, "flowControl" | "objectSource">): Promise<void> {
  if (flowControl === undefined) {
    return;
  }
  const levels = new Map<string, PriorityLevel>();
  const schemas = new Map<string, FlowSchema>();
  const configureSoon = onceARound(flowControl, levels, schemas);
  const keep = <T>(known: Map<string, T>, read: (object: JsonObject) => T | undefined) => ({
    present(_namespace: string, name: string, object: JsonObject) {
      const value = read(object);
      if (value === undefined) {
        known.delete(name);
      } else {
        known.set(name, value);
      }
      configureSoon();
    },
    gone(_namespace: string, name: string) {
      known.delete(name);
      configureSoon();
    },
  });
  await objectSource.follow(priorityLevels, keep(levels, readPriorityLevel));
  await objectSource.follow(flowSchemas, keep(schemas, compileFlowSchema));
}

/** Returns a function after which everything is configured anew, once for all changes of a round of the event loop. */
function onceARound(
  flowControl: FlowControl,
  levels: ReadonlyMap<string, PriorityLevel>,
  schemas: ReadonlyMap<string, FlowSchema>,
): () => void {
  let isDue = false;
  return () => {
    if (!isDue) {
      isDue = true;
      setImmediate(() => {
        isDue = false;
        flowControl.configure([...levels.values()], [...schemas.values()]);
      });
    }
  };
}
