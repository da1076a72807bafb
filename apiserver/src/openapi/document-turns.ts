import { Connection } from "../scheduling/connection.js";
import { turns } from "../scheduling/turns.js";

/** Documents are made for everybody: who asked first may be gone, and who reads slowly holds up nobody else. */
const everybody = new Connection();

/**
 * Called between small pieces of work on a document; what it returns is to be awaited before the next one. All documents
 * together have one place among the works that take long.
 */
export function nextTurn(): Promise<void> | undefined {
  return turns.next(everybody, 0);
}
