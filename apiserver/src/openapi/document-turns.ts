import { Connection } from "../scheduling/connection.js";
import { turns } from "../scheduling/turns.js";

/** A connection that stands for all clients: documents are made for everybody, so no single client's pace counts. */
const everybody = new Connection();

/**
 * Called between small pieces of work on a document; what it returns is to be awaited before the next one. All documents
 * together have one place among the works that take long.
 */
export function nextTurn(): Promise<void> | undefined {
  return turns.next(everybody, 0);
}
