import { setKey } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import { badRequest } from "@gatehouse/envelopes/status";
import { findAt, integerFoundAt, type ScalePaths, stepsOf, textFoundAt } from "@gatehouse/policies/structural-schemas";
import type { ScaleView } from "../registry/scale-view.js";
import { printerTable } from "../tables/printer-columns.js";

/** Returns the scale of a custom kind in one version, by the paths that its definition states for each. */
export function customScale(
  paths: ScalePaths,
  pathsIn: (apiVersion: string) => ScalePaths | "none" | undefined,
): ScaleView {
  return {
    read(object) {
      const replicas = orRefuse(integerFoundAt(object, paths.specReplicas));
      const found = findAt(object, paths.specReplicas);
      const isStated = "value" in found && found.value !== undefined;
      return {
        replicas: isStated ? asInt32(replicas) : undefined,
        statusReplicas: asInt32(orRefuse(integerFoundAt(object, paths.statusReplicas))),
        selector: paths.labelSelector === undefined ? "" : orRefuse(textFoundAt(object, paths.labelSelector)),
      };
    },
    replicasPathIn(apiVersion) {
      const there = pathsIn(apiVersion);
      return there === "none" ? [] : there && stepsOf(there.specReplicas);
    },
    write(object, replicas) {
      const steps = stepsOf(paths.specReplicas);
      let holder = object;
      for (const step of steps.slice(0, -1)) {
        const next = Object.hasOwn(holder, step) ? holder[step] : undefined;
        if (next !== undefined && !isJsonObject(next)) {
          throw badRequest(
            `value cannot be set because .${steps.slice(0, -1).join(".")} is not a map[string]interface{}`,
          );
        }
        const inner: JsonObject = next ?? {};
        setKey(holder, step, inner);
        holder = inner;
      }
      setKey(holder, steps.at(-1) as string, replicas);
    },
    requiredReplicas: paths.specReplicas,
    table: scaleTableOf(paths),
  };
}

/**
 * Returns the lowest 32 bits, which are what a Scale has room for, as v1.29 shows a number that is too large for it.
 */
function asInt32(value: number): number {
  return Number(BigInt.asIntN(32, BigInt(value)));
}

/**
 * Returns the value, or throws 400. Objects that were stored under older rules may break those of today. v1.29 says the
 * same with 500.
 */
function orRefuse<T>(found: { readonly value: T } | { readonly problem: string }): T {
  if ("problem" in found) {
    throw badRequest(found.problem);
  }
  return found.value;
}

function scaleTableOf({ specReplicas, statusReplicas }: ScalePaths): ReturnType<typeof printerTable> {
  const column = (name: string, description: string, jsonPath: string): JsonObject => ({
    name,
    type: "integer",
    description,
    jsonPath,
  });
  return printerTable([
    ...(specReplicas === "" ? [] : [column("Desired", "Number of desired replicas", ".spec.replicas")]),
    ...(statusReplicas === "" ? [] : [column("Available", "Number of actual replicas", ".status.replicas")]),
    { name: "Age", type: "date", description: "When the object was created.", jsonPath: ".metadata.creationTimestamp" },
  ]);
}
