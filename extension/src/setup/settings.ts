// Settings as they were written: people write them by hand, so any may be of
// any type. One that is not what it should be is named, and its default used.

/** A setting that cannot be taken as it is. */
export interface SettingProblem {
  /** Without "signalbox.". */
  readonly name: string;
  /** What it should be, in words. */
  readonly wanted: string;
}

/** Where settings come from: the value as it was written, or undefined. */
export type ReadSetting = (name: string) => unknown;

/** Reads settings and keeps what was wrong with them. */
export class SettingReader {
  readonly #read: ReadSetting;
  readonly #problems: SettingProblem[] = [];

  constructor(read: ReadSetting) {
    this.#read = read;
  }

  get problems(): readonly SettingProblem[] {
    return this.#problems;
  }

  text(name: string): string {
    return this.#take(name, 'a text', '', (value) => (typeof value === 'string' ? value.trim() : undefined));
  }

  flag(name: string, fallback = false): boolean {
    return this.#take(name, 'true or false', fallback, (value) =>
      typeof value === 'boolean' ? value : undefined,
    );
  }

  /** One of some words; the first is the default. */
  choice<const Words extends readonly [string, ...string[]]>(name: string, words: Words): Words[number] {
    const [first] = words;
    return this.#take<string>(name, `one of ${words.join(', ')}`, first, (value) =>
      typeof value === 'string' && words.includes(value) ? value : undefined,
    );
  }

  /** A whole number within bounds, both included. */
  count(name: string, fallback: number, least: number, most: number): number {
    return this.#take(name, `a whole number from ${least} to ${most}`, fallback, (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
        ? value
        : undefined,
    );
  }

  /** A list of texts; empty ones are left out. */
  texts(name: string): readonly string[] {
    const none: readonly string[] = [];
    return this.#take(name, 'a list of texts', none, (value) =>
      Array.isArray(value) && value.every((item) => typeof item === 'string')
        ? value.map((item: string) => item.trim()).filter((item) => item !== '')
        : undefined,
    );
  }

  #take<Value>(
    name: string,
    wanted: string,
    fallback: Value,
    accept: (value: unknown) => Value | undefined,
  ): Value {
    const value = this.#read(name);
    if (value === undefined || value === null) return fallback;
    const taken = accept(value);
    if (taken !== undefined) return taken;
    this.#problems.push({ name, wanted });
    return fallback;
  }
}
