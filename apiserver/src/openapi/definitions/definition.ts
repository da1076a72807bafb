import type { JsonObject } from "@gatehouse/envelopes/json";
import type { ObjectSchema } from "@gatehouse/envelopes/schema";
import type { KindNames } from "./kind-names.js";
import type { SpecialDefinition } from "./special-definitions.js";

/** A named schema of a document, and the definitions that it refers to. */
export interface Definition {
  readonly schema: JsonObject;
  readonly refs: readonly string[];
}

/** Sources of definitions. */
export interface DefinitionSources {
  /** Finds a message by its IDL name. */
  readonly messageSchema: (name: string) => ObjectSchema;
  readonly kindNames: KindNames;
}

/** A source of names for definitions that others refer to; it remembers them until they are defined. */
export interface Referrer {
  /** Returns the name under which a message can be referred to. */
  refer(schema: ObjectSchema): string;
  /** Returns the name under which a special definition can be referred to. */
  referSpecial(definition: SpecialDefinition): string;
}
