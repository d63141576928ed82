/** What the error of a row begins with that has no outputs, where there is no target to make them. */
export const NO_OUTPUTS = "The row has no outputs";
