// Detects a server that hangs. When a request takes long, a small one is sent as well. The server
// counts as hung only if it does not answer that one either, since a search may take long.

/** After this time without an answer the small request is sent. */
const longMillis = 20_000;

/** How long the answer to the small request may take. */
const probeMillis = 10_000;

export interface Times {
  readonly long: number;
  readonly probe: number;
}

export class HangDetector {
  readonly #ask: () => Promise<unknown>;
  readonly #hung: () => void;
  readonly #times: Times;
  #asking = false;

  /** `ask` sends the small request; `hung` is called when it gets no answer. */
  constructor(
    ask: () => Promise<unknown>,
    hung: () => void,
    times: Times = { long: longMillis, probe: probeMillis },
  ) {
    this.#ask = ask;
    this.#hung = hung;
    this.#times = times;
  }

  /** Waits for an answer. Whenever that takes long, the small request is sent. */
  async wait<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const timer = setInterval(() => void this.#probe(), this.#times.long);
    try {
      return await answer;
    } finally {
      clearInterval(timer);
    }
  }

  async #probe(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    // An error is also an answer. A lost connection is noticed elsewhere.
    const lives = this.#ask().then(
      () => true,
      () => true,
    );
    if (!(await within(lives, this.#times.probe, false))) this.#hung();
    this.#asking = false;
  }
}

/** Waits at most so long, and returns the value, or another one if it takes longer. */
export async function within<Value>(
  wanted: Promise<Value>,
  millis: number,
  otherwise: Value,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Value>((done) => {
    timer = setTimeout(done, millis, otherwise);
  });
  try {
    return await Promise.race([wanted, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for an answer. Throws if the server that was asked was replaced meanwhile. */
export async function whileCurrent<Answer>(answer: Promise<Answer>, current: () => boolean): Promise<Answer> {
  const value = await answer;
  if (!current()) throw new Error('another server was started meanwhile');
  return value;
}
