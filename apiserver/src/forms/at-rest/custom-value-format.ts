import { copySorted, encodeJson } from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { isJsonObject, textAt } from "@gatehouse/envelopes/json";
import type { ValueFormat } from "../../storage/values/value-formats.js";
import { endsLine, isJsonText, parseStoredText, withLineEnd } from "./json-text.js";

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
    if (isCanonical(stored)) {
      return stored.subarray(0, -1);
    }
    const value = parseStoredText(stored);
    if (!isJsonObject(value) || textAt(value, "apiVersion") === "" || textAt(value, "kind") === "") {
      throw new DecodeError("the value is no object with kind and apiVersion");
    }
    const { metadata } = value;
    if (isJsonObject(metadata)) {
      delete metadata["resourceVersion"]; // The store knows it better.
    }
    return Buffer.from(encodeJson(copySorted(value)));
  }
}

/** Reports whether bytes of any origin are what kube-apiserver writes, so that they can be shown as they are. */
function isCanonical(stored: Buffer): boolean {
  if (!endsLine(stored) || !stored.subarray(0, sortedStart.length).equals(sortedStart)) {
    return false;
  }
  const text = stored.toString();
  try {
    JSON.parse(text);
  } catch {
    return false;
  }
  return !text.includes('"resourceVersion":"');
}
