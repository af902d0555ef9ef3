// Tracks the outcome of each row of "Needs You": an answer is under way, was given, is held back
// for a moment so that it can be taken back, or was given elsewhere. Nothing is guessed: the
// server reports whether an answer counted. The clock is passed in.

import { fill } from '../fill';
import { HeldBack, type Clock } from '../heldBack';
import type { AgentRequest, AnswerParams, NeedItem } from '../protocol';
import type { NeedIcon, Tone } from './row';
import type { OutcomeWords } from './needsWords';

/** How a row ended, or the state of its answer. */
export interface Ending {
  readonly words: string;
  readonly icon: NeedIcon;
  readonly tone: Tone;
  /** Whether the answer counts, so that the row leaves. */
  readonly over: boolean;
  /** Until when the answer can be taken back. */
  readonly undo?: number;
  /** Whether to offer the agent's terminal, which shows more. */
  readonly terminal?: boolean;
  /** Whether the row ended without an act. Screen readers do not announce it. */
  readonly silent?: boolean;
  /** Whether nothing was sent, so that the row asks again. */
  readonly failed?: boolean;
}

export type Decision = Omit<AnswerParams, 'id' | 'hash'>;

/** An answer that is not confirmed for so long may be lost. */
export const unsureMillis = 10_000;

export interface OutcomesHost extends Clock {
  readonly words: OutcomeWords;
  answer(params: AnswerParams): Promise<unknown>;
  /** Sends an option of a question in a mail. */
  choose(item: NeedItem, option: string): Promise<void>;
  /** Returns a failure in words for the user. */
  failed(error: unknown): string;
  /** Returns how a request ended if that is the failure, or undefined. */
  over(error: unknown): Ending | undefined;
  changed(): void;
}

export class Outcomes {
  readonly #host: OutcomesHost;
  readonly #endings = new Map<string, Ending>();
  readonly #held: HeldBack;

  constructor(host: OutcomesHost) {
    this.#host = host;
    this.#held = new HeldBack(host);
  }

  get endings(): ReadonlyMap<string, Ending> {
    return this.#endings;
  }

  /** The key of the row whose answer was held back last. */
  get lastHeld(): string | undefined {
    return this.#held.last;
  }

  /** Sends the user's decision on a request. The answers to a form are held back first. */
  async decide(key: string, request: AgentRequest, decision: Decision): Promise<void> {
    const { id, hash, kind } = request;
    const send = (): Promise<void> => this.#decide(key, request, { id, hash, ...decision });
    if (kind === 'question' && decision.allow) this.#hold(key, formWords(request, decision), send);
    else await send();
  }

  /** Answers the question of a mail with an option, which is held back first. */
  choose(key: string, item: NeedItem, option: string): void {
    this.#hold(key, option, async () => {
      this.#set(key, this.#pending(this.#host.words.sending));
      try {
        await this.#host.choose(item, option);
        this.#set(key, { ...sent, words: fill(this.#host.words.sent, option) });
      } catch (error) {
        this.#fail(key, error);
      }
    });
  }

  /** Takes back an answer that is held back. Returns whether there was one. */
  undo(key: string | undefined): boolean {
    if (key === undefined || this.#held.undo(key) === undefined) return false;
    this.#endings.delete(key);
    this.#host.changed();
    return true;
  }

  /** Sends at once the answers that are held back. */
  async flush(): Promise<void> {
    await this.#held.flush();
  }

  /** Shows how a row ended that the server no longer has, unless its own answer already counted. */
  gone(key: string, ending: Ending): void {
    // Somebody else answered first. An answer still held back would only confuse.
    const held = this.#held.undo(key);
    const known = this.#endings.get(key);
    if (known?.over === true && held === undefined) return;
    this.#set(key, ending);
  }

  /** Forgets how the rows ended that are not to be kept. */
  forget(keep: (key: string) => boolean): void {
    for (const key of this.#endings.keys())
      if (!keep(key) && this.#held.held(key) === undefined) this.#endings.delete(key);
  }

  #hold(key: string, words: string, send: () => Promise<void>): void {
    if (this.#held.held(key) !== undefined) return;
    const { until } = this.#held.hold(key, words, undefined, send);
    this.#set(key, { ...sent, words: fill(this.#host.words.sent, words), undo: until });
  }

  async #decide(key: string, request: AgentRequest, params: AnswerParams): Promise<void> {
    const { words } = this.#host;
    const pending = this.#pending(pendingWords(request, params, words));
    this.#set(key, pending);
    const cancel = this.#host.after(unsureMillis, () => {
      if (this.#endings.get(key) === pending)
        this.#set(key, { ...pending, words: words.unsure, icon: 'warn', tone: 'blocked', terminal: true });
    });
    try {
      await this.#host.answer(params);
      this.#set(key, decided(request, params, words));
    } catch (error) {
      const over = this.#host.over(error);
      if (over === undefined) this.#fail(key, error);
      else this.#set(key, over);
    } finally {
      cancel();
    }
  }

  #pending(words: string): Ending {
    return { words, icon: 'spin', tone: 'quiet', over: false };
  }

  #fail(key: string, error: unknown): void {
    const words = this.#host.failed(error);
    this.#set(key, { words, icon: 'warn', tone: 'blocked', over: false, failed: true });
  }

  #set(key: string, ending: Ending): void {
    this.#endings.set(key, ending);
    this.#host.changed();
  }
}

const sent = { icon: 'send', tone: 'asks', over: true } as const;

function pendingWords({ kind }: AgentRequest, { allow }: AnswerParams, words: OutcomeWords): string {
  if (kind === 'question') return words.sending;
  return allow ? words.allowing : words.denying;
}

/** Returns the ending for a decision. A yes cannot be taken back: the agent has it. */
function decided(request: AgentRequest, params: AnswerParams, words: OutcomeWords): Ending {
  const { kind } = request;
  const { allow, reason = '', rules = [] } = params;
  if (kind === 'question' && allow) return { ...sent, words: fill(words.sent, formWords(request, params)) };
  if (allow) {
    const granted = kind === 'plan' ? words.approved : rules.length > 0 ? words.remembered : words.allowed;
    return { words: granted, icon: 'done', tone: 'good', over: true };
  }
  const reasoned = reason !== '';
  const refused = {
    permission: reasoned ? words.deniedWithReason : words.denied,
    plan: reasoned ? words.keptWithReason : words.kept,
    question: reasoned ? words.declinedWithReason : words.declined,
  }[kind];
  return { words: refused, icon: 'denied', tone: 'quiet', over: true };
}

/** Returns the answers to a form, in one line. */
function formWords({ questions = [] }: AgentRequest, { answers = [] }: Decision): string {
  return answers
    .map(({ options = [], text = '' }, at) =>
      [...options.map((one) => questions[at]?.options?.[one]?.label ?? ''), text]
        .filter((part) => part !== '')
        .join(', '),
    )
    .join('; ');
}
