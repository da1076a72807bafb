import type { ApiDocument } from "@gatehouse/apiserver/openapi";

type Operation = NonNullable<ApiDocument["roots"]>[number]["operations"][number];

/** The OpenAPI document of `/logs`. As in v1.29, it says nothing of what is answered. */
export const logFilesDocument: ApiDocument = {
  id: "logs",
  roots: [
    { path: "/logs/", parameters: [], operations: [read("logFileListHandler")] },
    {
      path: "/logs/{logpath}",
      parameters: [{ name: "logpath", in: "path", description: "path of the file", type: "string" }],
      operations: [read("logFileHandler")],
    },
  ],
};

function read(operationId: string): Operation {
  return {
    method: "get",
    operationId,
    description: "",
    tag: "logs",
    consumes: [],
    produces: [],
    parameters: [],
    responses: [{ code: 401, description: "Unauthorized" }],
  };
}
