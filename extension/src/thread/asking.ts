// What the session of a thread waits for: which request its page shows, the user's answer
// to it, and what became of one that is gone.

import type { Translate } from '../fill';
import { outcomeWords, requestKey } from '../request/request';
import type { AgentRequest, AnswerParams } from '../protocol';
import type { Server } from '../server/client';
import { describeError, isError } from '../server/failures';
import type { ToView } from './messages';

export type Asked = Omit<Extract<ToView, { readonly type: 'asked' }>, 'name'>;

/** What the server is asked, and where the page is told. */
export interface AskingHost {
  /** Returns a request whole. For one that is gone it fails with what became of it. */
  whole(id: string): Promise<AgentRequest>;
  answer(params: AnswerParams): Promise<unknown>;
  show(asked: Asked): void;
  log(error: unknown): void;
}

/** Returns a host that asks a server. */
export function askingHost(
  server: Pick<Server, 'request' | 'log'>,
  show: (asked: Asked) => void,
): AskingHost {
  return {
    whole: (id) => server.request('signalbox/needs/request', { id }),
    answer: (params) => server.request('signalbox/needs/answer', params),
    show,
    log: (error) => server.log.warn(`request: ${describeError(error)}`),
  };
}

export class Asking {
  readonly #host: AskingHost;
  readonly #t: Translate;
  #asked: Asked = { type: 'asked', request: undefined, others: 0, over: '', here: false };
  /** The requests that were answered here or are gone: a page that was fetched before may still have them. */
  readonly #done = new Set<string>();
  /** What waits, as it was told last, and which of it the user asked for. */
  #list: readonly AgentRequest[] = [];
  #wanted = '';
  #turn = 0;
  /** Whether an answer is on its way: it says what became of its request, and not a list that is faster. */
  #deciding = false;

  constructor(host: AskingHost, t: Translate) {
    this.#host = host;
    this.#t = t;
  }

  /** Whether something is asked. */
  get open(): boolean {
    return this.#asked.request !== undefined;
  }

  /** Tells a page that has just come up. */
  again(): void {
    this.#host.show(this.#asked);
  }

  /** Forgets what another thread asked. */
  reset(): void {
    this.#turn++;
    this.#list = [];
    this.#show({ request: undefined, others: 0, over: '', here: false });
  }

  /** Shows one of several requests: the one whose row was opened. */
  async prefer(id: string): Promise<void> {
    this.#wanted = id;
    await this.update(this.#list);
  }

  /** Takes in what the session waits for, the oldest first. The one that is shown stays as long as it waits. */
  async update(requests: readonly AgentRequest[]): Promise<void> {
    const turn = ++this.#turn;
    this.#list = requests;
    if (this.#deciding) return;
    const list = requests.filter((request) => !this.#done.has(requestKey(request)));
    const was = this.#asked.request;
    const kept = was === undefined ? undefined : list.find((one) => requestKey(one) === requestKey(was));
    const next = list.find(({ id }) => id === this.#wanted) ?? kept ?? list[0];
    const others = Math.max(0, list.length - 1);
    if (next === undefined && was === undefined) return;
    if (next !== undefined && next === kept) {
      if (others !== this.#asked.others) this.#show({ ...this.#asked, others });
      return;
    }
    const over = was === undefined || kept !== undefined ? '' : await this.#became(was);
    const request = next?.cut === true ? await this.#whole(next) : next;
    if (turn === this.#turn) this.#show({ request, others, over, here: false });
  }

  /** Gives the user's answer. It fails where the request still waits; one that is over says so in its place. */
  async decide(params: AnswerParams): Promise<void> {
    const { request } = this.#asked;
    if (request === undefined || requestKey(request) !== requestKey(params)) return;
    const list = this.#list;
    this.#deciding = true;
    try {
      await this.#host.answer(params);
      this.#end(request, outcomeWords(this.#t, request.kind, params), true);
    } catch (error) {
      if (!isError(error, 'NotFound')) throw error;
      this.#end(request, sentence(error), false);
    } finally {
      this.#deciding = false;
      if (this.#list !== list) void this.update(this.#list);
    }
  }

  #end(request: AgentRequest, over: string, here: boolean): void {
    this.#done.add(requestKey(request));
    if (this.#asked.request !== request) return;
    this.#turn++;
    this.#show({ request: undefined, others: 0, over, here });
  }

  /** Takes in that nothing waits, for the reason that the server gave. */
  gone(error: unknown): void {
    const { request } = this.#asked;
    if (request !== undefined) this.#end(request, sentence(error), false);
    else if (this.#asked.over === '') this.#show({ ...this.#asked, over: sentence(error) });
  }

  /** Says what became of a request that waits no more. */
  async #became({ id }: AgentRequest): Promise<string> {
    try {
      await this.#host.whole(id);
    } catch (error) {
      if (isError(error, 'NotFound')) return sentence(error);
      this.#host.log(error);
    }
    return '';
  }

  async #whole(request: AgentRequest): Promise<AgentRequest> {
    try {
      const whole = await this.#host.whole(request.id);
      return requestKey(whole) === requestKey(request) ? whole : request;
    } catch (error) {
      // What is there is shown, and can only be denied.
      this.#host.log(error);
      return request;
    }
  }

  #show(asked: Omit<Asked, 'type'>): void {
    this.#asked = { type: 'asked', ...asked };
    this.#host.show(this.#asked);
  }
}

/** Returns the server's sentence, beginning with a capital. */
function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
