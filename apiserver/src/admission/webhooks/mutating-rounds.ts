import { copyJson, type JsonObject } from "@gatehouse/envelopes";
import { isSameState } from "../../objects/is-same-state.js";

/** Which webhooks of one write are to be asked once more in the second run of the mutating phase, as v1.29 decides it. */
export class MutatingRounds {
  /** Those that may be asked again and were asked since somebody last changed the object. */
  #asked = new Set<string>();
  readonly #wanted = new Set<string>();
  #last: JsonObject | undefined;

  /** The second run has come to the webhooks: others may have changed the object since. */
  begin(object: JsonObject | undefined): void {
    if (!isSameState(this.#last, object)) {
      this.wantEarlier();
    }
  }

  /** The webhooks have been asked; this is what they have left. */
  end(object: JsonObject | undefined): void {
    this.#last = object === undefined ? undefined : (copyJson(object) as JsonObject);
  }

  wasAsked(id: string): void {
    this.#asked.add(id);
  }

  /** The object is no longer what those have seen that were asked so far. */
  wantEarlier(): void {
    for (const id of this.#asked) {
      this.#wanted.add(id);
    }
    this.#asked = new Set();
  }

  isWanted(id: string): boolean {
    return this.#wanted.has(id);
  }
}
