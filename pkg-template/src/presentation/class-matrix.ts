/** A confusion matrix among the results of summary evaluators: a row for each reference label, a column for each output label. */
export interface ClassMatrix {
  labels: unknown[];
  matrix: number[][];
}

/** The matrix in the `value` of a result; `undefined` if that is something else. */
export function classMatrix(value: unknown): ClassMatrix | undefined {
  const { labels, matrix } = (value ?? {}) as ClassMatrix;
  const fits = Array.isArray(labels) && Array.isArray(matrix) && matrix.every((row) => Array.isArray(row));
  return fits ? { labels, matrix } : undefined;
}
