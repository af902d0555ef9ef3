// Reads settings. People write them by hand, so a value may have any type. A wrong
// value is reported, and the default is used instead.

export interface SettingProblem {
  /** The setting's name without "signalbox.". */
  readonly name: string;
  /** What the value should be, in words. */
  readonly wanted: string;
}

/** Returns a setting's value as written, or undefined if it is not set. */
export type ReadSetting = (name: string) => unknown;

/** Reads settings and collects the wrong ones. */
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

  /** Returns one of the allowed words. The first of them is the default. */
  choice<const Words extends readonly [string, ...string[]]>(name: string, words: Words): Words[number] {
    const [first] = words;
    return this.#take<string>(name, `one of ${words.join(', ')}`, first, (value) =>
      typeof value === 'string' && words.includes(value) ? value : undefined,
    );
  }

  /** Returns a whole number from `least` to `most`, both included. */
  count(name: string, fallback: number, least: number, most: number): number {
    return this.#take(name, `a whole number from ${least} to ${most}`, fallback, (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
        ? value
        : undefined,
    );
  }

  /** Returns a list of texts, leaving out empty ones. */
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
