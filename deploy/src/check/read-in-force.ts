import { listDocumentFiles, readObjects, type SourceDocument } from "@gatehouse/component-base/manifests";

/** Reads the documents of files and folders that are in force. Rejects with ConfigurationError where one cannot be read. */
export async function readInForce(paths: readonly string[]): Promise<readonly SourceDocument[]> {
  const files = (await Promise.all(paths.map(listDocumentFiles))).flat();
  return (await Promise.all(files.map(readObjects))).flat();
}
