import { isUtf8 } from "node:buffer";
import { badRequest } from "@gatehouse/envelopes/status";
import { JsonBytes, JsonBytesError } from "./json-bytes.js";

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const apiVersion = "audit.k8s.io/v1";

/** Names of members that are looked at, as bytes. */
const names = {
  kind: Buffer.from("kind"),
  apiVersion: Buffer.from("apiVersion"),
  items: Buffer.from("items"),
  auditID: Buffer.from("auditID"),
  level: Buffer.from("level"),
  stage: Buffer.from("stage"),
} as const;
const values = { event: Buffer.from("Event"), apiVersion: Buffer.from(apiVersion) } as const;

/** An event in the body of a request. */
export interface ScannedEvent {
  /** Offsets in the body at which the event's JSON begins and ends. */
  readonly start: number;
  readonly end: number;
  /** Index of the event in the list. */
  readonly index: number;
}

/** An item of the list that is no event which can be kept. */
export interface RefusedEvent {
  readonly index: number;
  /** Description of the fault, without any content of the event. */
  readonly problem: string;
}

/** Result of scanning a body. */
export interface ScannedEventList {
  readonly events: readonly ScannedEvent[];
  readonly refused: readonly RefusedEvent[];
}

/** Bounds of events. */
export interface EventLimits {
  readonly maxEventBytes: number;
}

/**
 * Finds the events of an EventList of audit.k8s.io/v1 in the bytes of a request, and checks that they are JSON and what
 * identifies them is there. Throws StatusError 400 for what is no such list. Line breaks in the body become spaces.
 */
export function scanEventList(body: Uint8Array, limits: EventLimits): ScannedEventList {
  if (!isUtf8(body)) {
    throw badRequest("the body of the request is not UTF-8");
  }
  try {
    return new EventListScanner(body, limits).scan();
  } catch (error) {
    if (error instanceof JsonBytesError) {
      throw badRequest(`the body of the request is not JSON: ${error.message}`, error);
    }
    throw error;
  }
}

class EventListScanner {
  readonly #body: Uint8Array;
  readonly #json: JsonBytes;
  readonly #limits: EventLimits;
  readonly #events: ScannedEvent[] = [];
  readonly #refused: RefusedEvent[] = [];
  #nameStart = 0;
  #nameEnd = 0;

  constructor(body: Uint8Array, limits: EventLimits) {
    this.#body = body;
    this.#json = new JsonBytes(body);
    this.#limits = limits;
  }

  scan(): ScannedEventList {
    const json = this.#json;
    if (json.peek() !== openBrace) {
      json.value();
      throw badRequest("the body of the request is not a JSON object");
    }
    let kind = "null";
    let version = "null";
    let hasItems = false;
    for (let more = this.#firstMember(); more; more = this.#nextMember()) {
      if (this.#isNamed(names.kind)) {
        kind = this.#told();
      } else if (this.#isNamed(names.apiVersion)) {
        version = this.#told();
      } else if (this.#isNamed(names.items)) {
        if (hasItems) {
          throw badRequest("the EventList has items twice");
        }
        hasItems = true;
        this.#items();
      } else {
        json.value();
      }
    }
    if (json.peek() !== -1) {
      throw json.unexpected();
    }
    if (kind !== '"EventList"' || version !== `"${apiVersion}"`) {
      throw badRequest(`${kind} of ${version} is no EventList of ${apiVersion}`);
    }
    return { events: this.#events, refused: this.#refused };
  }

  #items(): void {
    const json = this.#json;
    if (json.peek() !== openBracket) {
      if (this.#told() !== "null") {
        throw badRequest("items of the EventList are not a list");
      }
      return;
    }
    json.at++;
    if (json.peek() === closeBracket) {
      json.at++;
      return;
    }
    for (let index = 0; ; index++) {
      const first = json.peek();
      const start = json.at;
      const problem = first === openBrace ? this.#event() : this.#noObject();
      if (problem === undefined) {
        this.#events.push({ start, end: json.at, index });
      } else {
        this.#refused.push({ index, problem });
      }
      if (json.peek() !== comma) {
        break;
      }
      json.at++;
    }
    json.expect(closeBracket);
  }

  #noObject(): string {
    this.#json.value();
    return "is not an object";
  }

  /** Passes an event; returns what is wrong with it. Nothing is made of its members: there are many events. */
  #event(): string | undefined {
    const json = this.#json;
    const start = json.at;
    let hasId = false;
    let hasLevel = false;
    let hasStage = false;
    let problem: string | undefined;
    for (let more = this.#firstMember(); more; more = this.#nextMember()) {
      // Most names are of other lengths.
      switch (this.#nameEnd - this.#nameStart) {
        case 4:
          if (this.#isNamed(names.kind)) {
            problem ??= this.#passText(values.event) ? undefined : "kind: is not Event";
          } else {
            json.value();
          }
          break;
        case 5:
          if (this.#isNamed(names.level)) {
            hasLevel = this.#passText();
          } else if (this.#isNamed(names.stage)) {
            hasStage = this.#passText();
          } else {
            json.value();
          }
          break;
        case 7:
          if (this.#isNamed(names.auditID)) {
            hasId = this.#passText();
          } else {
            json.value();
          }
          break;
        case 10:
          if (this.#isNamed(names.apiVersion)) {
            problem ??= this.#passText(values.apiVersion) ? undefined : `apiVersion: is not ${apiVersion}`;
          } else {
            json.value();
          }
          break;
        default:
          json.value();
      }
    }
    if (json.at - start > this.#limits.maxEventBytes) {
      return `is longer than ${this.#limits.maxEventBytes} bytes`;
    }
    return (
      problem ??
      (hasId ? undefined : "auditID: is required") ??
      (hasLevel ? undefined : "level: is required") ??
      (hasStage ? undefined : "stage: is required")
    );
  }

  /** Passes the brace and the name of the first member; false, and the object is passed, if there is none. */
  #firstMember(): boolean {
    this.#json.at++;
    return this.#json.peek() === closeBrace ? this.#endObject() : this.#name();
  }

  /** Reads the name of the member after the one whose value was passed; returns false at the end of the object. */
  #nextMember(): boolean {
    const json = this.#json;
    if (json.peek() === comma) {
      json.at++;
      return this.#name();
    }
    json.expect(closeBrace);
    return false;
  }

  #endObject(): boolean {
    this.#json.at++;
    return false;
  }

  #name(): boolean {
    const json = this.#json;
    if (json.peek() !== quote) {
      throw json.unexpected();
    }
    this.#nameStart = json.at + 1;
    json.string();
    this.#nameEnd = json.at - 1;
    json.expect(colon);
    return true;
  }

  #isNamed(name: Uint8Array): boolean {
    return this.#holds(this.#nameStart, this.#nameEnd, name);
  }

  #holds(start: number, end: number, text: Uint8Array): boolean {
    if (end - start !== text.length) {
      return false;
    }
    for (let i = 0; i < text.length; i++) {
      if (this.#body[start + i] !== text[i]) {
        return false;
      }
    }
    return true;
  }

  /** Passes a value; whether it is a string: the one that is wanted, or any that is not empty. */
  #passText(wanted?: Uint8Array): boolean {
    const json = this.#json;
    if (json.peek() !== quote) {
      json.value();
      return false;
    }
    const start = json.at + 1;
    json.string();
    const end = json.at - 1;
    return wanted === undefined ? end > start : this.#holds(start, end, wanted);
  }

  /** Passes a value and returns how messages show it: short text, or `null`. */
  #told(): string {
    const json = this.#json;
    const isText = json.peek() === quote;
    const start = json.at;
    json.value();
    const text = Buffer.from(this.#body.subarray(start, Math.min(json.at, start + maxToldBytes))).toString("latin1");
    return isText || text === "null" ? text : "a value that is no text";
  }
}

const maxToldBytes = 64;
