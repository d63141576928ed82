/** Everything that can be reached from `starts`; `follow` is called once for each, and returns the next ones. */
export function reachedFrom(starts, follow) {
  const reached = new Set(starts);
  for (const name of reached) for (const next of follow(name)) reached.add(next);
  return reached;
}
