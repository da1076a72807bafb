import type { DocumentInfo } from "./json-document.js";
import type { DocumentSink } from "./write-document.js";
export function swaggerProtobuf(_info: DocumentInfo): DocumentSink { throw new Error("later"); }
