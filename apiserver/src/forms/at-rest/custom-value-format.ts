import { copySorted, encodeJson, parseJson, parseYamlSteps } from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { isJsonObject, textAt } from "@gatehouse/envelopes/json";
import { finishSteps } from "@gatehouse/envelopes/scheduling";
import { metaOf } from "../../objects/object-meta.js";
import type { ValueFormat } from "../../storage/values/value-formats.js";
import { endsLine, isJsonText, withLineEnd } from "./json-text.js";

/** The beginning of custom objects as kube-apiserver writes them: sorted members, no spaces. */
const sortedStart = Buffer.from('{"apiVersion":"');

/**
 * The values of custom kinds: JSON with sorted members, whatever the media type of the store is. They lie in the version in
 * which they were written last; conversion follows when they are read, since a webhook may have to be asked.
 */
export class CustomValueFormat implements ValueFormat {
  readonly #isShared: boolean;

  constructor({ isShared }: { readonly isShared: boolean }) {
    this.#isShared = isShared;
  }

  encode(value: Buffer): Buffer {
    return this.#isShared ? withLineEnd(value) : value;
  }

  decode(stored: Buffer): Buffer {
    if (!this.#isShared && isJsonText(stored) && !endsLine(stored)) {
      return stored;
    }
    const text = stored.toString();
    const isSorted = endsLine(stored) && stored.subarray(0, sortedStart.length).equals(sortedStart);
    if (isSorted && !text.includes('"resourceVersion":"')) {
      JSON.parse(text); // Anything may have been written to a shared store.
      return stored.subarray(0, -1);
    }
    const value = isJsonText(stored) ? parseJson(text).value : finishSteps(parseYamlSteps(text)).value;
    if (!isJsonObject(value) || textAt(value, "apiVersion") === "" || textAt(value, "kind") === "") {
      throw new DecodeError("the value is no object with kind and apiVersion");
    }
    delete metaOf(value).resourceVersion; // The store knows it better.
    return Buffer.from(encodeJson(copySorted(value)));
  }
}
