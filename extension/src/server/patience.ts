// A server that does not answer: when one request takes long, a small one is
// sent beside it. Only a server that leaves that unanswered too is taken for
// hung; a long search is not.

/** After this time without an answer the server is asked whether it lives. */
const longMillis = 20_000;

/** So long it may take to say so. */
const signMillis = 10_000;

export interface Times {
  readonly long: number;
  readonly sign: number;
}

export class Patience {
  readonly #ask: () => Promise<unknown>;
  readonly #hung: () => void;
  readonly #times: Times;
  #asking = false;

  /** `ask` sends the small request; `hung` is called when it gets no answer. */
  constructor(
    ask: () => Promise<unknown>,
    hung: () => void,
    times: Times = { long: longMillis, sign: signMillis },
  ) {
    this.#ask = ask;
    this.#hung = hung;
    this.#times = times;
  }

  /** Waits for an answer, and asks for a sign of life whenever that takes long. */
  async wait<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const timer = setInterval(() => void this.#look(), this.#times.long);
    try {
      return await answer;
    } finally {
      clearInterval(timer);
    }
  }

  async #look(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((done) => {
      timer = setTimeout(done, this.#times.sign, false);
    });
    // A refusal is an answer, and a lost connection is noticed elsewhere.
    const lives = this.#ask().then(
      () => true,
      () => true,
    );
    if (!(await Promise.race([lives, late]))) this.#hung();
    clearTimeout(timer);
    this.#asking = false;
  }
}
