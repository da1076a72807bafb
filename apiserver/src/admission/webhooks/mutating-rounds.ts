import { copyJson } from "@gatehouse/envelopes/codec";
import { isSameState } from "@gatehouse/envelopes/go";
import type { JsonObject } from "@gatehouse/envelopes/json";

/** The webhooks of one write that are asked once more in the second run of the mutating phase, as v1.29 decides it. */
export class MutatingRounds {
  /** Webhooks that may be asked again and were asked since the object last changed. */
  #asked = new Set<string>();
  readonly #wanted = new Set<string>();
  #last: JsonObject | undefined;

  /** Begins the second run: others may have changed the object since the first. */
  begin(object: JsonObject | undefined): void {
    if (!isSameState(this.#last, object)) {
      this.wantEarlier();
    }
  }

  /** Keeps the object as the webhooks have left it. */
  end(object: JsonObject | undefined): void {
    this.#last = object === undefined ? undefined : (copyJson(object) as JsonObject);
  }

  wasAsked(id: string): void {
    this.#asked.add(id);
  }

  /** Marks the webhooks asked so far for a second call, since the object has changed. */
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
