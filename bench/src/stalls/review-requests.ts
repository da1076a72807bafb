import { repeated } from "./stall-request.js";

/** A review that is suspected to hold up a server of the toolkit. */
export interface ReviewStallRequest {
  /** The name in the row of the report. */
  readonly name: string;
  makeBody(): string;
}

/** Reviews of objects with very many members. */
export const reviewStallRequests: readonly ReviewStallRequest[] = [
  review("an object of 200,000 keys", () => keys(200_000)),
  review("an object of 400,000 keys", () => keys(400_000)),
  review("a list of 90,000 objects of one key each", () => `{"items":[${list(90_000, '{"k#":"v"}')}]}`),
  review("a text of 6 MB", () => `{"text":"${"x".repeat(6_000_000)}"}`),
];

function review(what: string, makeData: () => string): ReviewStallRequest {
  const gvk = '{"group":"","version":"v1","kind":"Pod"}';
  const gvr = '{"group":"","version":"v1","resource":"pods"}';
  const makeObject = (): string =>
    `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"},"spec":{"containers":[]},"data":${makeData()}}`;
  const makeRequest = (): string =>
    `"uid":"u","kind":${gvk},"resource":${gvr},"requestKind":${gvk},"requestResource":${gvr},"operation":"CREATE","userInfo":{"username":"u"},"object":${makeObject()}`;
  return {
    name: `review: ${what}`,
    makeBody: () => `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{${makeRequest()}}}`,
  };
}

function keys(count: number): string {
  return `{${list(count, '"key#":"v"')}}`;
}

function list(count: number, item: string): string {
  return repeated(count, `${item},`).slice(0, -1);
}
