/** What every bench of the playground is. */

/** What a bench shows, as texts: what a link holds. */
export type State = Record<string, string>;

export interface Example {
  name: string;
  state: State;
}

export interface Bench {
  /** What one sees of it. */
  readonly element: HTMLElement;
  readonly examples: readonly Example[];
  /** Shows a state; what it lacks is as it is at first. */
  open(state: State): void;
  /** What is shown. Secrets are no part of it. */
  state(): State;
}

/** Makes a bench, which calls `changed` when its state has. */
export type MakeBench = (changed: () => void) => Bench;
