/**
 * Validates the footer of a Parquet file. `hyparquet` starts to read columns before it has looked up all of them in the
 * schema. If a look-up failed, the rejections of the started reads would be unhandled and end the process.
 */

/** The used part of a footer that `hyparquet` has read. */
export interface Footer {
  num_rows: bigint | number;
  schema: SchemaElement[];
  row_groups: { num_rows: bigint | number; columns: { meta_data?: ParquetColumn | undefined }[] }[];
}

interface SchemaElement {
  name: string;
  num_children?: number | undefined;
  repetition_type?: string | undefined;
  converted_type?: string | undefined;
  logical_type?: object | undefined;
  scale?: number | undefined;
}

interface ParquetColumn {
  path_in_schema: string[];
  codec?: string | undefined;
  num_values: bigint | number;
  total_compressed_size: bigint | number;
  data_page_offset: bigint | number;
  dictionary_page_offset?: bigint | number | undefined;
}

/** A column of the schema: with repeated fields, a row has any number of values. */
interface Leaf {
  path: string;
  isRepeated: boolean;
  element: SchemaElement;
}

/** The problem of the footer of a file with this number of bytes, if any. */
export function problemOfFooter(footer: Footer, byteLength: number): string | undefined {
  const leaves = leavesOf(footer.schema);
  if (!leaves) return "its schema is not a tree";
  const byPath = new Map(leaves.map((leaf) => [leaf.path, leaf]));
  if (byPath.size < leaves.length) return "two of its columns have the same name";
  let rows = 0;
  for (const [index, group] of footer.row_groups.entries()) {
    const count = Number(group.num_rows);
    if (!(count >= 0)) return `row group ${index + 1} has ${count} rows`;
    rows += count;
    const seen = new Set<string>();
    for (const { meta_data: column } of group.columns) {
      if (!column) return `row group ${index + 1} has a column without metadata`;
      const path = pathOf(column.path_in_schema);
      const leaf = byPath.get(path);
      if (!leaf || seen.has(path))
        return `row group ${index + 1} has the column ${path}, which its schema does not have, or which occurs twice`;
      seen.add(path);
      const values = Number(column.num_values);
      if (leaf.isRepeated ? !(values >= 0) : values !== count)
        return `the column ${path} has ${values} values in ${count} rows`;
      const start = Number(column.dictionary_page_offset || column.data_page_offset);
      const size = Number(column.total_compressed_size);
      if (!(start >= 0 && size >= 0 && start + size <= byteLength))
        return `the column ${path} is beyond the end of the file`;
    }
    if (seen.size < leaves.length)
      return `row group ${index + 1} has ${seen.size} of ${leaves.length} columns`;
  }
  return rows === Number(footer.num_rows)
    ? undefined
    : `it has ${rows} rows, but its footer records ${footer.num_rows}`;
}

/**
 * The scales of columns of decimals, and the footer without these types: `hyparquet` multiplies them as doubles, so that 0.3
 * becomes 0.30000000000000004. Decimals in lists and structures are left to it.
 */
export function undecoded(footer: Footer): { scales: Map<string, number>; metadata: Footer } {
  const decimals = new Set(
    leavesOf(footer.schema)
      ?.filter(({ path, isRepeated, element }) => !isRepeated && path === pathOf([element.name]))
      .map(({ element }) => element)
      .filter(({ converted_type }) => converted_type === "DECIMAL"),
  );
  const schema = footer.schema.map((element) =>
    decimals.has(element) ? { ...element, converted_type: undefined, logical_type: undefined } : element,
  );
  const scales = new Map([...decimals].map(({ name, scale = 0 }) => [name, scale]));
  return { scales, metadata: { ...footer, schema } };
}

const pathOf = (names: readonly string[]): string => JSON.stringify(names);

/** The columns of a schema, which is a tree in the order of its elements, each with the number of its children. */
function leavesOf(schema: Footer["schema"]): Leaf[] | undefined {
  const leaves: Leaf[] = [];
  /** The number of remaining children of each open group. */
  const open: { name: string; left: number; isRepeated: boolean }[] = [];
  for (const [index, element] of schema.entries()) {
    const { name, num_children = 0, repetition_type } = element;
    const isRoot = index === 0;
    if (!isRoot && !open.length) return undefined;
    const parent = open.at(-1);
    if (parent) parent.left--;
    const isRepeated = (parent?.isRepeated ?? false) || (!isRoot && repetition_type === "REPEATED");
    if (isRoot || num_children) open.push({ name, left: num_children, isRepeated });
    else
      leaves.push({ path: pathOf([...open.slice(1).map((group) => group.name), name]), isRepeated, element });
    while (open.length && !open.at(-1)?.left) open.pop();
  }
  return open.length ? undefined : leaves;
}
