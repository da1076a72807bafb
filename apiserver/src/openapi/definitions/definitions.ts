import type { ObjectSchema } from "@gatehouse/envelopes/schema";
import type { Dialect } from "../dialect.js";
import type { Definition, DefinitionSources, Referrer } from "./definition.js";
import { definitionName } from "./definition-name.js";
import { ObjectDefinition } from "./object-definition.js";
import type { SpecialDefinition } from "./special-definitions.js";

/** Turns the schemas of the IDL into definitions of one OpenAPI version. */
export class Definitions implements Referrer {
  readonly #dialect: Dialect;
  readonly #sources: DefinitionSources;
  readonly #known = new Map<string, ObjectSchema | SpecialDefinition>();

  constructor(dialect: Dialect, sources: DefinitionSources) {
    this.#dialect = dialect;
    this.#sources = sources;
  }

  refer(schema: ObjectSchema): string {
    const name = definitionName(schema.name);
    if (!this.#known.has(name)) {
      // The same message may come with another map type; what is defined is the message itself.
      this.#known.set(name, this.#sources.messageSchema(schema.name));
    }
    return name;
  }

  referSpecial(definition: SpecialDefinition): string {
    if (!this.#known.has(definition.name)) {
      this.#known.set(definition.name, definition);
    }
    return definition.name;
  }

  /** Returns a definition that was referred to before. Made anew each time; throws RangeError for an unknown name. */
  get(name: string): Definition {
    const source = this.#known.get(name);
    if (source === undefined) {
      throw new RangeError(`no OpenAPI definition ${name}`);
    }
    return "fields" in source ? new ObjectDefinition(source, this.#dialect, this, this.#sources) : this.special(source);
  }

  /** Returns a special definition, referred to or not. */
  special(source: SpecialDefinition): Definition {
    const messages = (source.messages ?? []).map((message) => this.refer(this.#sources.messageSchema(message)));
    const others = (source.others ?? []).map((other) => other.name);
    return { schema: source.schema(this.#dialect), refs: [...messages, ...others] };
  }
}
