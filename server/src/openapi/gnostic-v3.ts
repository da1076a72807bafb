import type { DocumentInfo } from "./json-document.js";
import type { DocumentSink } from "./write-document.js";
export function openapi3Protobuf(_info: DocumentInfo): DocumentSink { throw new Error("later"); }
