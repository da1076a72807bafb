import { isUtf8 } from "node:buffer";
import { badRequest } from "@gatehouse/envelopes";
import { JsonBytes, JsonBytesError } from "./json-bytes.js";

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const closeBracket = 0x5d;
const closeBrace = 0x7d;
const openBrace = 0x7b;

const apiVersion = "audit.k8s.io/v1";

/** An event in the body of a request. */
export interface ScannedEvent {
  /** Where its JSON begins in the body, and where it ends. */
  readonly start: number;
  readonly end: number;
  /** Its place in the list. */
  readonly index: number;
}

/** An item of the list that is no event which can be kept. */
export interface RefusedEvent {
  readonly index: number;
  /** What is wrong, without anything of its content. */
  readonly problem: string;
}

/** What was found in a body. */
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
  readonly #body: Buffer;
  readonly #json: JsonBytes;
  readonly #limits: EventLimits;
  readonly #events: ScannedEvent[] = [];
  readonly #refused: RefusedEvent[] = [];

  constructor(body: Uint8Array, limits: EventLimits) {
    this.#body = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    this.#json = new JsonBytes(body);
    this.#limits = limits;
  }

  scan(): ScannedEventList {
    const json = this.#json;
    if (json.peek() !== openBrace) {
      json.value();
      throw badRequest("the body of the request is not a JSON object");
    }
    let kind: string | undefined;
    let version: string | undefined;
    let hasItems = false;
    this.#members((name) => {
      switch (name) {
        case "kind":
          kind = this.#text();
          return;
        case "apiVersion":
          version = this.#text();
          return;
        case "items":
          if (hasItems) {
            throw badRequest("the EventList has items twice");
          }
          hasItems = true;
          this.#items();
          return;
        default:
          json.value();
      }
    });
    if (json.peek() !== -1) {
      throw json.unexpected();
    }
    if (kind !== "EventList" || version !== apiVersion) {
      throw badRequest(`${told(kind)} of ${told(version)} is no EventList of ${apiVersion}`);
    }
    return { events: this.#events, refused: this.#refused };
  }

  #items(): void {
    const json = this.#json;
    if (json.peek() !== 0x5b) {
      const start = json.at;
      json.value();
      if (this.#body.toString("latin1", start, json.at) !== "null") {
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

  /** Passes an event; returns what is wrong with it. */
  #event(): string | undefined {
    const json = this.#json;
    const start = json.at;
    let auditID: string | undefined;
    let level: string | undefined;
    let stage: string | undefined;
    let problem: string | undefined;
    this.#members((name) => {
      switch (name) {
        case "auditID":
          auditID = this.#text();
          return;
        case "level":
          level = this.#text();
          return;
        case "stage":
          stage = this.#text();
          return;
        case "kind":
          problem ??= this.#text() === "Event" ? undefined : "kind: is not Event";
          return;
        case "apiVersion":
          problem ??= this.#text() === apiVersion ? undefined : `apiVersion: is not ${apiVersion}`;
          return;
        default:
          json.value();
      }
    });
    if (json.at - start > this.#limits.maxEventBytes) {
      return `is longer than ${this.#limits.maxEventBytes} bytes`;
    }
    return (
      problem ??
      (auditID ? undefined : "auditID: is required") ??
      (level ? undefined : "level: is required") ??
      (stage ? undefined : "stage: is required")
    );
  }

  /** Passes an object; `onMember` passes the value of each member. */
  #members(onMember: (name: string) => void): void {
    const json = this.#json;
    json.at++;
    if (json.peek() === closeBrace) {
      json.at++;
      return;
    }
    for (;;) {
      if (json.peek() !== quote) {
        throw json.unexpected();
      }
      const start = json.at + 1;
      json.string();
      const end = json.at - 1;
      json.expect(colon);
      // No name that is looked for is longer.
      onMember(end - start > apiVersionLength ? "" : this.#body.toString("latin1", start, end));
      if (json.peek() !== comma) {
        break;
      }
      json.at++;
    }
    json.expect(closeBrace);
  }

  /** Passes a value and returns it if it is a string without escapes; any other cannot be what is looked for. */
  #text(): string | undefined {
    const json = this.#json;
    if (json.peek() !== quote) {
      json.value();
      return undefined;
    }
    const start = json.at + 1;
    json.string();
    return this.#body.toString("latin1", start, Math.min(json.at - 1, start + maxTextBytes));
  }
}

const apiVersionLength = "apiVersion".length;
const maxTextBytes = 64;

function told(text: string | undefined): string {
  return text === undefined ? "null" : JSON.stringify(text);
}
