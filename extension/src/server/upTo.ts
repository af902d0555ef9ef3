// Fetches again what a change made old, once for all who ask for it meanwhile.

/** Something that is fetched, and knows the revision it shows. */
export interface Fetched {
  readonly revision: number;
  /** Fetches it. Does not fail. */
  reload(): Promise<void>;
}

export class UpTo {
  readonly #fetched: Fetched;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(fetched: Fetched) {
    this.#fetched = fetched;
  }

  /** Settles with the newest look that was begun. */
  get running(): Promise<void> {
    return this.#running;
  }

  /** Fetches at once. */
  now(): Promise<void> {
    this.#running = this.#fetched.reload();
    return this.#running;
  }

  /** Fetches unless what is held, or is being fetched, is as new as this revision. */
  async revision(wanted: number): Promise<void> {
    await this.#running;
    if (this.#fetched.revision >= wanted) return;
    this.#next ??= this.now().finally(() => {
      this.#next = undefined;
    });
    await this.#next;
  }
}
