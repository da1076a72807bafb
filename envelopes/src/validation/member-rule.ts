import type { JsonObject } from "../json.js";

/** How one member of a built-in message departs from what its schema suggests. */
export interface MemberRule {
  /** Not checked here: kube-apiserver accepts it, or the rules of the kind find words of their own. */
  readonly unchecked?: true;
  /** It may be missing or empty after all; what is there is checked. */
  readonly optional?: true;
  /** It may not be missing or empty, although OpenAPI calls it optional. */
  readonly required?: true;
  /** The text after `Required value`. */
  readonly detail?: string;
  /** The empty string is an unsupported value like any other, not a missing one. */
  readonly emptyIsUnsupported?: true;
  /** Supported values are listed as declared instead of sorted. */
  readonly declaredOrder?: true;
  /** The supported values, where they are not those of the schema; of a list, those of its items. */
  readonly supported?: readonly string[];
  /** Errors name what holds the value: the struct around a member, the list around an item. */
  readonly reportedAtHolder?: true;
  /** An unsupported value is shown as the struct that holds it, in Go notation. */
  readonly shownAs?: (holder: JsonObject) => string;
  /** Rules for members of the struct (or of the items of the list) when it stands here; they replace its own. */
  readonly members?: MemberRules;
  /** The order in which those members are checked, where it is not that of the struct elsewhere. */
  readonly order?: readonly string[];
}

/** Rules by member name. */
export type MemberRules = Readonly<Record<string, MemberRule>>;

/** The rules of one message; members named in `order` are checked first, in that order. */
export interface MessageRules {
  readonly members: MemberRules;
  readonly order: readonly string[];
}

/** Nothing is checked, for what kube-apiserver accepts or the kind's rules look at. */
export const unchecked: MemberRule = { unchecked: true };
/** May be missing or empty, whatever the schema suggests. */
export const optional: MemberRule = { optional: true };
/** May be neither missing nor empty, although OpenAPI calls it optional. */
export const required: MemberRule = { required: true };
/** Supported values are listed as the schema declares them. */
export const declaredOrder: MemberRule = { declaredOrder: true };

/** `Required value: <text>`. */
export function detail(text: string): MemberRule {
  return { detail: text };
}

/** As `detail`, for what OpenAPI calls optional. */
export function requiredWith(text: string): MemberRule {
  return { required: true, detail: text };
}

/** One of these and nothing else, not even nothing. */
export function oneOf(...supported: readonly string[]): MemberRule {
  return { supported, emptyIsUnsupported: true };
}
