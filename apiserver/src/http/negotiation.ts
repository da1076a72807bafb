import { TextMemo } from "@gatehouse/component-base/collections";
import { domain, mediaTypes } from "@gatehouse/envelopes/names";

/** The formats of objects, of requests as of answers. */
export type Encoding = "json" | "yaml" | "protobuf";

/** A form other than their own that an endpoint can answer with for its objects. */
export type Transformation = "Table" | "PartialObjectMetadata" | "PartialObjectMetadataList" | "APIGroupDiscoveryList";

/** The representation chosen for a response. */
export interface Representation {
  readonly encoding: Encoding;
  readonly as: Transformation | undefined;
  /** Version that the transformation is written in, such as `v1` of the meta group. */
  readonly asVersion: string;
}

interface TransformationKind {
  readonly group: string;
  readonly versions: readonly string[];
  readonly encodings: readonly Encoding[];
}

const allEncodings: readonly Encoding[] = ["json", "yaml", "protobuf"];
const metaGroup = `meta.${domain}`;
/** Versions of the meta group for transformations; v1.29 still serves the old one, whose forms are the same. */
const metaVersions = ["v1", "v1beta1"];

const transformationKinds: Readonly<Record<Transformation, TransformationKind>> = {
  // Tables have no protobuf form.
  Table: { group: metaGroup, versions: metaVersions, encodings: ["json", "yaml"] },
  PartialObjectMetadata: { group: metaGroup, versions: metaVersions, encodings: allEncodings },
  PartialObjectMetadataList: { group: metaGroup, versions: metaVersions, encodings: allEncodings },
  APIGroupDiscoveryList: { group: `apidiscovery.${domain}`, versions: ["v2beta1"], encodings: allEncodings },
};

/** The representation for clients that accept anything: the object itself as JSON. */
const jsonRepresentation: Representation = { encoding: "json", as: undefined, asVersion: "" };

const encodingByType: ReadonlyMap<string, Encoding> = new Map([
  [mediaTypes.json, "json"],
  [mediaTypes.yaml, "yaml"],
  [mediaTypes.protobuf, "protobuf"],
]);

/** The Content-Type of an encoding. */
export const contentTypeOf: Readonly<Record<Encoding, string>> = {
  json: mediaTypes.json,
  yaml: mediaTypes.yaml,
  protobuf: mediaTypes.protobuf,
};

/** The representations that an endpoint offers. A refusal names the encodings in this order. */
export interface Offer {
  readonly encodings: readonly Encoding[];
  readonly transformations: readonly Transformation[];
  /** The suffix of each media type in a refusal. */
  readonly typeSuffix?: string;
  /** True if only the transformations are offered. */
  readonly onlyTransformed?: boolean;
  /** Encodings that cannot be framed: a client that likes one of them best is refused, whatever else it takes. */
  readonly unframed?: readonly Encoding[];
  /** Encodings that are offered for transformations only. */
  readonly onlyTransformedIn?: readonly Encoding[];
  /** The Go type of objects that have no protobuf form, as a refusal names it; absent where protobuf is not negotiated. */
  readonly unencodable?: string;
}

/** The offer of endpoints whose answers have no other form. */
export const plainOffer: Offer = { encodings: allEncodings, transformations: [] };
/** The offer of watch streams, without YAML, which has no framing for them. */
export const streamOffer: Offer = {
  encodings: ["json", "protobuf"],
  unframed: ["yaml"],
  typeSuffix: ";stream=watch",
  transformations: ["Table", "PartialObjectMetadata", "PartialObjectMetadataList"],
};
/** The offer of objects and lists alike; after the choice it is checked that the transformation fits. */
export const objectOffer: Offer = {
  encodings: ["json", "yaml", "protobuf"],
  transformations: ["Table", "PartialObjectMetadata", "PartialObjectMetadataList"],
};

/** Returns an offer of the same, but for tables. */
export function withoutTable(offer: Offer): Offer {
  return { ...offer, transformations: offer.transformations.filter((item) => item !== "Table") };
}

/** The offer of custom kinds, which have no protobuf form, while their metadata has. */
export const customOffer: Offer = { ...objectOffer, onlyTransformedIn: ["protobuf"] };
/** The offer of watch streams of custom kinds. */
export const customStreamOffer: Offer = { ...streamOffer, onlyTransformedIn: ["protobuf"] };

/** A media type of an Accept header with its quality. */
export interface AcceptClause {
  readonly type: string;
  readonly params: Readonly<Record<string, string>>;
  readonly quality: number;
}

/** Picks the first acceptable representation, best quality first. Undefined when there is none (406). */
export function negotiate(accept: string | undefined, offer: Offer): Representation | undefined {
  if (accept === undefined || accept === "" || accept === "*/*" || accept === "application/json") {
    return offer.onlyTransformed === true ? undefined : jsonRepresentation;
  }
  for (const clause of acceptClauses(accept)) {
    const chosen = matchClause(clause, offer);
    if (chosen !== undefined) {
      return offer.encodings.includes(chosen.encoding) ? chosen : undefined;
    }
  }
  return undefined;
}

function matchClause(clause: AcceptClause, offer: Offer): Representation | undefined {
  const encoding = clause.type === "*/*" || clause.type === "application/*" ? "json" : encodingByType.get(clause.type);
  if (encoding === undefined || !(offer.encodings.includes(encoding) || offer.unframed?.includes(encoding))) {
    return undefined;
  }
  const { as, g: group, v: version } = clause.params;
  if (as === undefined) {
    const offered = offer.onlyTransformed !== true && offer.onlyTransformedIn?.includes(encoding) !== true;
    const plain = group === undefined && version === undefined && offered;
    return plain ? { encoding, as: undefined, asVersion: "" } : undefined;
  }
  const known = offer.transformations.find((item) => item === as);
  if (known === undefined || version === undefined) {
    return undefined;
  }
  const kind = transformationKinds[known];
  return kind.group === group && kind.versions.includes(version) && kind.encodings.includes(encoding)
    ? { encoding, as: known, asVersion: version }
    : undefined;
}

/** The number of media types of a header that are considered. */
const maxClauses = 64;

/** Media types by Accept header: clients send the same few. */
const knownClauses = new TextMemo<readonly AcceptClause[]>(10_000);

/**
 * Returns the media types of an Accept header, best quality first; of equal ones, those without a wildcard first.
 * Quality 0 is the last choice but one, as in v1.29.
 */
export function acceptClauses(header: string): readonly AcceptClause[] {
  return knownClauses.get(header) ?? knownClauses.keep(header, parseAccept(header));
}

function parseAccept(header: string): readonly AcceptClause[] {
  const clauses = header.split(",", maxClauses).map(parseClause);
  return clauses.length < 2
    ? clauses
    : clauses.sort((a, b) => b.quality - a.quality || wildcards(a.type) - wildcards(b.type));
}

function wildcards(type: string): number {
  return type === "*/*" ? 2 : type.endsWith("/*") ? 1 : 0;
}

function parseClause(text: string): AcceptClause {
  const { type, params } = parseMediaType(text);
  const quality = params["q"] === undefined ? 1 : Number.parseFloat(params["q"]);
  return { type, params, quality: Number.isNaN(quality) ? 0 : quality };
}

/** Parses a media type with its parameters, both in lower case where they are case-insensitive. */
function parseMediaType(text: string): { type: string; params: Record<string, string> } {
  const [type = "", ...rest] = text.split(";");
  const params: Record<string, string> = Object.create(null);
  for (const item of rest) {
    const at = item.indexOf("=");
    if (at > 0) {
      params[item.slice(0, at).trim().toLowerCase()] = item
        .slice(at + 1)
        .trim()
        .replace(/^"(.*)"$/, "$1");
    }
  }
  return { type: type.trim().toLowerCase(), params };
}

const token = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const quoted = '"(?:[^"\\\\]|\\\\.)*"';
const parameter = `;[ \\t]*${token}[ \\t]*=[ \\t]*(?:${token}|${quoted})[ \\t]*`;
/**
 * The pattern of a type, parameters that have values, and an optional final semicolon, as in Go's
 * `mime.ParseMediaType`.
 */
const contentTypePattern = new RegExp(`^[^;]*(?:${parameter})*(?:;[ \\t]*)?$`);

/**
 * Returns the encoding of a body by Content-Type; a missing header means JSON. Undefined for a type that no decoder
 * knows (415).
 */
export function bodyEncoding(contentType: string | undefined): Encoding | undefined {
  if (contentType === undefined || contentType === "" || contentType === mediaTypes.json) {
    return "json";
  }
  return contentTypePattern.test(contentType) ? encodingByType.get(parseMediaType(contentType).type) : undefined;
}
