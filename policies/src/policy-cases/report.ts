/** Reports a problem at a path below the part that is read. An empty path is the part itself. */
export type Report = (path: string, text: string) => void;
