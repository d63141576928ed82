/** The beginning of the errors of a row without a target, whose recorded outputs cannot be scored. */
export const ROW_HAS = "The row has ";
