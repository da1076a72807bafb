import type { JsonObject } from "@gatehouse/envelopes/json";
import type { ObjectInterfaces } from "../object-interfaces.js";

/** The forms of objects that have one version and no defaults. */
export const singleForms: ObjectInterfaces = {
  served: {},
  equivalents: () => [],
  convert: (object) => object,
  written: (object) => object,
  read: (document) => document as JsonObject,
  fillDefaults: () => 0,
};
