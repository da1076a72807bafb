import { GoUrlError } from "@gatehouse/envelopes/errors";
import { type GoUrl, parseGoRequestUrl, parseGoUrl } from "@gatehouse/envelopes/go";
import { EvaluationError } from "../../values/evaluation-error.js";
import { OpaqueValue } from "../../values/value.js";
import { escapedPath } from "./escapes.js";

/** A parsed URL. */
export class UrlValue extends OpaqueValue {
  readonly typeName = "kubernetes.URL";
  readonly url: GoUrl;
  readonly #text: string;

  constructor(text: string, url: GoUrl) {
    super();
    this.url = url;
    this.#text = text;
  }

  /** The host without the port and without the brackets of an IPv6 address. */
  get hostname(): string {
    const { host } = this.url;
    const name = host.slice(0, host.length - this.#portSuffix.length);
    return name.startsWith("[") && name.endsWith("]") ? name.slice(1, -1) : name;
  }

  get port(): string {
    return this.#portSuffix.slice(1);
  }

  get #portSuffix(): string {
    return /:[0-9]*$/.exec(this.url.host)?.[0] ?? "";
  }

  get escapedPath(): string {
    return escapedPath(this.url.path);
  }

  /** Returns true if Go writes both URLs alike. */
  equals(other: OpaqueValue): boolean {
    return other instanceof UrlValue && this.#canonicalParts() === other.#canonicalParts();
  }

  #canonicalParts(): string {
    const { scheme, opaque, user, host, query, fragment } = this.url;
    const beforeFragment = this.#text.split("#", 1)[0] ?? "";
    const hasEmptyQuery = beforeFragment.endsWith("?");
    const hasEmptyHost = scheme !== "" && host === "" && beforeFragment.slice(scheme.length + 1).startsWith("//");
    return JSON.stringify([scheme, opaque, user, host, hasEmptyHost, this.escapedPath, query, hasEmptyQuery, fragment]);
  }
}

/** Parses an absolute URL or an absolute path. Throws EvaluationError. */
export function parseUrl(text: string): UrlValue {
  const asTarget = parseGoRequestUrl(text);
  // A URL of a request has no fragment, so the text is parsed again as one that may.
  const url = asTarget instanceof GoUrlError ? asTarget : parseGoUrl(text);
  if (url instanceof GoUrlError) {
    throw new EvaluationError(`URL parse error during conversion from string: ${url.message}`);
  }
  return new UrlValue(text, url);
}

/** Reports whether a text is an absolute URL or an absolute path. */
export function isUrl(text: string): boolean {
  return !(parseGoRequestUrl(text) instanceof GoUrlError);
}
