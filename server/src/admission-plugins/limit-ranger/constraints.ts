import { type Quantity, quantityMilliValue, quantityValue } from "@gatehouse/envelopes/codec";
import type { ResourceList } from "../../quota/resource-list.js";
import type { Limit } from "./limit-range.js";

/** The requests and the limits of a container or pod. */
export interface Demand {
  readonly requests: ResourceList;
  readonly limits: ResourceList;
}

/** Returns a message for each bound that a container or pod exceeds. */
export function brokenLimits(limit: Limit, { requests, limits }: Demand): string[] {
  const { type, min, max, maxLimitRequestRatio } = limit;
  return [
    ...min.map(([name, bound]) => belowMinimum(name, type, bound, requests.get(name), limits.get(name))),
    ...max.map(([name, bound]) => aboveMaximum(name, type, bound, requests.get(name), limits.get(name))),
    ...maxLimitRequestRatio.map(([name, bound]) => aboveRatio(name, type, bound, requests.get(name), limits.get(name))),
  ].filter(isProblem);
}

/** Returns a message for each bound that a claim exceeds; claims have no limits. */
export function brokenClaimLimits({ type, min, max }: Limit, requests: ResourceList): string[] {
  return [
    ...min.map(([name, bound]) => belowMinimum(name, type, bound, requests.get(name), undefined)),
    ...max.map(([name, bound]) => requestAboveMaximum(name, type, bound, requests.get(name))),
  ].filter(isProblem);
}

function isProblem(problem: string | undefined): problem is string {
  return problem !== undefined;
}

type Problem = string | undefined;
type Amount = Quantity | undefined;

function belowMinimum(name: string, type: string, bound: Quantity, request: Amount, limit: Amount): Problem {
  const prefix = `minimum ${name} usage per ${type} is ${bound.text}`;
  const [requested, limited, least] = comparable(request, limit, bound);
  if (request === undefined) {
    return `${prefix}.  No request is specified`;
  }
  if (requested < least) {
    return `${prefix}, but request is ${request.text}`;
  }
  return limit !== undefined && limited < least ? `${prefix}, but limit is ${limit.text}` : undefined;
}

function aboveMaximum(name: string, type: string, bound: Quantity, request: Amount, limit: Amount): Problem {
  const prefix = `maximum ${name} usage per ${type} is ${bound.text}`;
  const [requested, limited, most] = comparable(request, limit, bound);
  if (limit === undefined) {
    return `${prefix}.  No limit is specified`;
  }
  if (limited > most) {
    return `${prefix}, but limit is ${limit.text}`;
  }
  return request !== undefined && requested > most ? `${prefix}, but request is ${request.text}` : undefined;
}

function requestAboveMaximum(name: string, type: string, bound: Quantity, request: Amount): Problem {
  const prefix = `maximum ${name} usage per ${type} is ${bound.text}`;
  const [requested, , most] = comparable(request, undefined, bound);
  if (request === undefined) {
    return `${prefix}.  No request is specified`;
  }
  return requested > most ? `${prefix}, but request is ${request.text}` : undefined;
}

function aboveRatio(name: string, type: string, bound: Quantity, request: Amount, limit: Amount): Problem {
  const prefix = `${name} max limit to request ratio per ${type} is ${bound.text}`;
  const [requested, limited] = comparable(request, limit, bound);
  if (request === undefined || requested === 0n) {
    return `${prefix}, but no request is specified or request is 0`;
  }
  if (limit === undefined || limited === 0n) {
    return `${prefix}, but no limit is specified or limit is 0`;
  }
  const ratio = Number(limited) / Number(requested);
  const isPrecise = quantityValue(bound) <= maxMilliValue;
  const isAbove = isPrecise ? ratio * 1000 > Number(milliValue(bound)) : ratio > Number(quantityValue(bound));
  return isAbove ? `${prefix}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}

/** The largest quantity that fits into 64 bits when it is counted in thousandths. */
const maxMilliValue = (2n ** 63n - 1n) / 1000n;

/** Request, limit and bound in one unit: thousandths, or where these would be too many, units rounded up (as v1.29). */
function comparable(request: Amount, limit: Amount, bound: Quantity): [request: bigint, limit: bigint, bound: bigint] {
  const values = [unitsOf(request), unitsOf(limit), unitsOf(bound)] as [bigint, bigint, bigint];
  return values.every((value) => value <= maxMilliValue)
    ? [milliValue(request), milliValue(limit), milliValue(bound)]
    : values;
}

function unitsOf(amount: Amount): bigint {
  return amount === undefined ? 0n : quantityValue(amount);
}

function milliValue(amount: Amount): bigint {
  return amount === undefined ? 0n : quantityMilliValue(amount);
}
