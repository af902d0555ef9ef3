// When to stop restarting a server that keeps crashing.

/** Counts crashes in a sliding window. Times are Unix milliseconds, given by the caller. */
export class CrashPolicy {
  readonly #limit: number;
  readonly #windowMillis: number;
  #times: number[] = [];

  /** By default the fifth crash within three minutes is the last. */
  constructor(limit = 5, windowMillis = 3 * 60_000) {
    this.#limit = limit;
    this.#windowMillis = windowMillis;
  }

  /** Records a crash and says whether the server may be started again. */
  crashed(now: number): 'restart' | 'stop' {
    this.#times = this.#times.filter((time) => now - time < this.#windowMillis);
    this.#times.push(now);
    return this.#times.length < this.#limit ? 'restart' : 'stop';
  }

  /** Forgets all crashes: the user asked for a restart. */
  reset(): void {
    this.#times = [];
  }

  get count(): number {
    return this.#times.length;
  }
}
