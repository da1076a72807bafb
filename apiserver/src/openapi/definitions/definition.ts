import type { JsonObject } from "@gatehouse/envelopes/json";
import type { ObjectSchema } from "@gatehouse/envelopes/schema";
import type { KindNames } from "./kind-names.js";
import type { SpecialDefinition } from "./special-definitions.js";

/** A named schema of a document, and the definitions that it refers to. */
export interface Definition {
  readonly schema: JsonObject;
  readonly refs: readonly string[];
}

/** What definitions are made from. */
export interface DefinitionSources {
  /** Finds a message by its IDL name. */
  readonly messageSchema: (name: string) => ObjectSchema;
  readonly kindNames: KindNames;
}

/** Names what a definition refers to, and remembers it for when its own definition is asked for. */
export interface Referrer {
  /** The name under which a message can be referred to. */
  refer(schema: ObjectSchema): string;
  /** The same for a definition that is stated as such. */
  referSpecial(definition: SpecialDefinition): string;
}
