/** First line of the configuration files that follow from the flags and ports of a stack, for people who look at them. */
export const rewrittenNote = "# Written by each start of the stack: changes made here are lost.\n";
