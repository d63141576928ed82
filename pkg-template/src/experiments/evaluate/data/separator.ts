/** A hint for CSV whose cells are not separated by commas, so that its header is one cell; empty for other headers. */
export function separatorHint(titles: readonly string[]): string {
  const mark = titles.length === 1 ? /[;\t|]/.exec((titles[0] as string).trim())?.[0] : undefined;
  return mark ? `; cells have to be separated by commas, not by ${JSON.stringify(mark)}` : "";
}
