import type { JsonObject } from "@gatehouse/envelopes/json";
import type { TableDefinition } from "../tables/table-definition.js";

/** The mapping between a kind and its Scale. Objects are of the served version. Refusals are thrown as StatusError. */
export interface ScaleView {
  /** Returns the state that a Scale shows; `replicas` is undefined when the object does not state them. */
  read(object: JsonObject): ScaledState;
  /**
   * Returns the path of the desired replicas in any version, for field ownership: no members where the version has no
   * scale, undefined for what is no version of the kind. `spec.replicas` in all versions when absent.
   */
  readonly replicasPathIn?: (apiVersion: string) => readonly string[] | undefined;
  /** Sets the desired replicas, in place. The rules of the kind check the number. */
  write(object: JsonObject, replicas: number): void;
  /**
   * The JSON path of the desired replicas, for kinds whose objects must state them; elsewhere unstated replicas mean 0.
   */
  readonly requiredReplicas?: string;
  /** The columns and rows of tables of Scales. */
  readonly table: TableDefinition;
}

/** The state of an object that a Scale shows. */
export interface ScaledState {
  readonly replicas: number | undefined;
  readonly statusReplicas: number;
  /** A label selector as text, empty when there is none. */
  readonly selector: string;
}
