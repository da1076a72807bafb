import { listDocumentFiles, readObjects, type SourceDocument } from "./read-documents.js";

/** Reads the objects of files and folders, in their order. Rejects with ConfigurationError where one cannot be read. */
export async function readObjectsOf(paths: readonly string[]): Promise<SourceDocument[]> {
  const files = (await Promise.all(paths.map(listDocumentFiles))).flat();
  return (await Promise.all(files.map(readObjects))).flat();
}
