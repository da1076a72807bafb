/** The suffix of the project's API groups (SPEC `<domain>`), with the value that stock clients expect. */
export const domain = "k8s.io";

/** The project name inside media types and extension names (SPEC `<brand>`), with the value that stock clients expect. */
export const brand = "kubernetes";

/** What stands in Content-Type and Accept, in lower case and without further parameters. */
export const mediaTypes = {
  json: "application/json",
  yaml: "application/yaml",
  protobuf: `application/vnd.${brand}.protobuf`,
  protobufStream: `application/vnd.${brand}.protobuf;stream=watch`,
  jsonStream: "application/json;stream=watch",
  jsonPatch: "application/json-patch+json",
  mergePatch: "application/merge-patch+json",
  strategicMergePatch: "application/strategic-merge-patch+json",
  applyPatch: "application/apply-patch+yaml",
} as const;
