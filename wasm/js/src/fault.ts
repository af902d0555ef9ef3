/** A broken rule, or something worth a note. */
export interface Fault {
  readonly rule: string;
  readonly field: string;
  /** In bytes from the start of what was read. */
  readonly offset: number;
  /** A lower-case phrase, which may quote the input. */
  readonly reason: string;
}

/** What was read shows these about the rules: faults break them, notes do not. */
export interface Findings {
  readonly faults: readonly Fault[];
  readonly notes: readonly Fault[];
}

/** A fault or a note in a log. */
export interface Finding extends Fault {
  /** Counts from 1. */
  readonly line: number;
  readonly level: 'fault' | 'note';
}

/** A timestamp as a file has it. */
export interface Time {
  /** What the file says, also where it cannot be read. */
  readonly text: string;
  /** In Unix milliseconds. */
  readonly millis: number;
  /** Tells that text could be read. */
  readonly ok: boolean;
}
