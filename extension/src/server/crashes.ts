// Decides when to stop restarting a server that keeps crashing.

/** Counts crashes in a sliding window. Times are Unix milliseconds. */
export class CrashPolicy {
  readonly #limit: number;
  readonly #windowMillis: number;
  #times: number[] = [];

  /** By default the server is not restarted after the fifth crash within three minutes. */
  constructor(limit = 5, windowMillis = 3 * 60_000) {
    this.#limit = limit;
    this.#windowMillis = windowMillis;
  }

  /** Records a crash and returns whether the server may be started again. */
  crashed(now: number): 'restart' | 'stop' {
    this.#times = this.#times.filter((time) => now - time < this.#windowMillis);
    this.#times.push(now);
    return this.#times.length < this.#limit ? 'restart' : 'stop';
  }

  /** Forgets all crashes: the user asked for a restart. */
  reset(): void {
    this.#times = [];
  }
}
