// The requests that a thread's session waits for: which one the page shows, the user's
// answer, and the outcome of a request that is over.

import type { Translate } from '../fill';
import { outcomeWords, requestKey } from '../request/request';
import type { AgentRequest, AnswerParams } from '../protocol';
import type { Server } from '../server/client';
import { describeError, isError } from '../server/failures';
import type { ToView } from './messages';

export type Asked = Omit<Extract<ToView, { readonly type: 'asked' }>, 'name'>;

/** The calls to the server, and the way to the page. */
export interface AskingHost {
  /** Returns a request uncut. If the request is over, it fails and the error names the outcome. */
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
  /** The requests that were answered here or are over. A page fetched earlier may still list them. */
  readonly #done = new Set<string>();
  /** The waiting requests of the last update, and the id of the one that the user opened. */
  #list: readonly AgentRequest[] = [];
  #wanted = '';
  #turn = 0;
  /** Whether an answer is on its way. Lists that arrive before its outcome are not shown. */
  #deciding = false;

  constructor(host: AskingHost, t: Translate) {
    this.#host = host;
    this.#t = t;
  }

  /** Whether a request is shown. */
  get open(): boolean {
    return this.#asked.request !== undefined;
  }

  /** Sends the current request to a page that has just started. */
  resend(): void {
    this.#host.show(this.#asked);
  }

  /** Forgets the requests of another thread. */
  reset(): void {
    this.#turn++;
    this.#list = [];
    this.#show({ request: undefined, others: 0, over: '', here: false });
  }

  /** Shows the request whose row was opened, if several wait. */
  async prefer(id: string): Promise<void> {
    this.#wanted = id;
    await this.update(this.#list);
  }

  /** Updates the waiting requests, oldest first. The request on the page stays as long as it waits. */
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
    const over = was === undefined || kept !== undefined ? '' : await this.#outcomeOf(was);
    const request = next?.cut === true ? await this.#whole(next) : next;
    if (turn === this.#turn) this.#show({ request, others, over, here: false });
  }

  /** Sends the user's answer. It fails if the request still waits. If it is over, the page shows that. */
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

  /** Shows that nothing waits, with the reason from the server. */
  gone(error: unknown): void {
    const { request } = this.#asked;
    if (request !== undefined) this.#end(request, sentence(error), false);
    else if (this.#asked.over === '') this.#show({ ...this.#asked, over: sentence(error) });
  }

  /** Returns the outcome of a request that no longer waits, in words. */
  async #outcomeOf({ id }: AgentRequest): Promise<string> {
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
      // The cut request is shown. It can only be denied.
      this.#host.log(error);
      return request;
    }
  }

  #show(asked: Omit<Asked, 'type'>): void {
    this.#asked = { type: 'asked', ...asked };
    this.#host.show(this.#asked);
  }
}

/** Returns the server's message with a capital first letter. */
function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
