/** The suffix of the project's API groups, with the value that stock clients expect. */
export const domain = "k8s.io";

/** The project name inside media types and extension names, with the value that stock clients expect. */
export const brand = "kubernetes";

/** The media types of bodies, answers, streams and patches, as clients name them in headers. */
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
