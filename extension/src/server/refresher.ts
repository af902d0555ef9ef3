// Fetches data again after a change, once for all callers that ask for it meanwhile.

/** Data that is fetched, and the revision that it shows. */
export interface Fetched {
  readonly revision: number;
  /** Fetches it. Does not fail. */
  reload(): Promise<void>;
}

export class Refresher {
  readonly #fetched: Fetched;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(fetched: Fetched) {
    this.#fetched = fetched;
  }

  /** Settles when the newest fetch ends. */
  get running(): Promise<void> {
    return this.#running;
  }

  /** Fetches at once. */
  now(): Promise<void> {
    this.#running = this.#fetched.reload();
    return this.#running;
  }

  /** Fetches unless the data, after a fetch that is running, is as new as this revision. */
  async revision(wanted: number): Promise<void> {
    await this.#running;
    if (this.#fetched.revision >= wanted) return;
    this.#next ??= this.now().finally(() => {
      this.#next = undefined;
    });
    await this.#next;
  }
}
