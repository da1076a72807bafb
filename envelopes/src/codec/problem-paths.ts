/**
 * Characters that the paths of unknown and repeated members of one document may have together; the first path is told
 * whatever its length. A path repeats the names of all members that lead to it, so that the paths of a document with long
 * names could be as long as the square of its text.
 */
export const maxPathsLength = 256 * 1024;
