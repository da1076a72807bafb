import { definitionsPath } from "../custom-definitions.js";
import { repeated, type StallRequest } from "./stall-request.js";

/** Definitions whose schemas are as long as a body may be. They are not stored: each would be in the way of the next. */
export const definitionRequests: readonly StallRequest[] = [
  define("24,000 fields", () => {
    const fields = repeated(24_000, '"field#":{"type":"string","description":"What this field is for."},').slice(0, -1);
    return `{"type":"object","properties":{${fields}}}`;
  }),
  define("20,000 properties", () => {
    return `{"type":"object","properties":{${repeated(20_000, '"p#":{"type":"string"},').slice(0, -1)}}}`;
  }),
  define("a default of 40,000 members", () => {
    const members = repeated(40_000, '"member#":"value #",').slice(0, -1);
    return `{"type":"object","x-kubernetes-preserve-unknown-fields":true,"default":{${members}}}`;
  }),
  define("90,000 required members", () => {
    return `{"type":"object","required":[${repeated(90_000, '"r#",').slice(0, -1)}]}`;
  }),
  define("90,000 keys of a list", () => {
    const keys = repeated(90_000, '"k#",').slice(0, -1);
    return `{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":[${keys}],"items":{"type":"object"}}`;
  }),
];

function define(name: string, makeSchema: () => string): StallRequest {
  return {
    name: `definition: ${name}`,
    prepare() {
      const body = Buffer.from(definitionOf(`{"type":"object","properties":{"spec":${makeSchema()}}}`));
      const headers = { "content-type": "application/json" };
      return (target) => target.send({ method: "POST", path: `${definitionsPath}?dryRun=All`, headers, body });
    },
  };
}

function definitionOf(schema: string): string {
  const version = `{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":${schema}}}`;
  const names = '"names":{"plural":"stalls","singular":"stall","kind":"Stall","listKind":"StallList"}';
  const spec = `{"group":"stall.example.com","scope":"Namespaced",${names},"versions":[${version}]}`;
  return `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"stalls.stall.example.com"},"spec":${spec}}`;
}
