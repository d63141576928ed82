/**
 * Assigns rows to columns so that the sum of their scores is highest: the Hungarian method with potentials, in the time of the
 * rows squared times the columns.
 *
 * @param scores The scores of all pairs, row by row; there are at most as many rows as columns.
 * @returns The column of each row.
 */
export function bestAssignment(scores: Float64Array, columns: number): number[] {
  const rows = scores.length / columns;
  // Row and column 0 are where a search starts.
  const rowPotential = new Float64Array(rows + 1);
  const columnPotential = new Float64Array(columns + 1);
  const rowOf = new Int32Array(columns + 1);
  for (let row = 1; row <= rows; row++) {
    const slack = new Float64Array(columns + 1).fill(Number.POSITIVE_INFINITY);
    const cameFrom = new Int32Array(columns + 1);
    const isReached = new Uint8Array(columns + 1);
    rowOf[0] = row;
    let column = 0;
    while (rowOf[column] !== 0) {
      isReached[column] = 1;
      const current = rowOf[column] as number;
      const scoresOfRow = (current - 1) * columns - 1;
      let next = 0;
      let least = Number.POSITIVE_INFINITY;
      for (let to = 1; to <= columns; to++) {
        if (isReached[to]) continue;
        const cost = -at(scores, scoresOfRow + to);
        const reduced = cost - at(rowPotential, current) - at(columnPotential, to);
        if (reduced < at(slack, to)) {
          slack[to] = reduced;
          cameFrom[to] = column;
        }
        if (at(slack, to) < least) {
          least = at(slack, to);
          next = to;
        }
      }
      for (let to = 0; to <= columns; to++) {
        if (isReached[to]) {
          const reached = rowOf[to] as number;
          rowPotential[reached] = at(rowPotential, reached) + least;
          columnPotential[to] = at(columnPotential, to) - least;
        } else slack[to] = at(slack, to) - least;
      }
      column = next;
    }
    while (column !== 0) {
      const previous = cameFrom[column] as number;
      rowOf[column] = rowOf[previous] as number;
      column = previous;
    }
  }
  const assigned = new Array<number>(rows);
  for (let column = 1; column <= columns; column++) {
    const row = rowOf[column] as number;
    if (row) assigned[row - 1] = column - 1;
  }
  return assigned;
}

const at = (numbers: Float64Array, index: number): number => numbers[index] as number;
