// Hover previews of message ids and thread names, in any file. Only the token
// under the pointer is sent to the server, never the document.

import { describeError, isCancelled } from '../server/failures';
import * as vscode from 'vscode';
import type { LinkIndex, OpenMention } from './linkIndex';
import type { EscalationItem, NeedItem, Question, Ref, ResolvedLink } from '../protocol';
import { join } from '../fill';
import { needAt, optionLabels, suggestionLabels } from '../needs/answers';
import { inline, withoutLinks } from '../strangers';
import { actionWords } from '../task/suggested';
import { showFailure } from '../views/notify';
import { clockTime, relativeTime } from '../when';
import { withLocalTimes } from './hoverTimes';
import { tokensAt, type Token } from './tokens';
import { HoverLinks, untrusted, type HoverLink } from './hoverLinks';
import { Registrations } from '../registrations';

/** How many related threads of other formats a hover links at most. */
const relatedShown = 2;

/** What a hover needs from the rest of the extension. */
export interface HoverHost {
  readonly open: OpenMention;
  reply(thread: Ref, message: Ref | undefined): unknown;
  /** What needs the user now. */
  readonly needs: () => readonly NeedItem[];
  answer(question: Question, option: string): Promise<void>;
  suggest(escalation: EscalationItem, index: number): Promise<void>;
}

/** What a link of a hover does. */
type Act = () => unknown;

export class Hover extends Registrations implements vscode.HoverProvider {
  readonly #index: LinkIndex;
  readonly #host: HoverHost;
  readonly #links: HoverLinks<Act>;

  constructor(index: LinkIndex, host: HoverHost) {
    super();
    this.#index = index;
    this.#host = host;
    this.#links = new HoverLinks((act) => void this.#run(act));
    this.register(this.#links, vscode.languages.registerHoverProvider({ scheme: '*' }, this));
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    try {
      const patterns = await this.#index.patterns();
      const line = document.lineAt(position.line).text;
      const candidates = tokensAt(line, position.character, patterns);
      if (candidates.length === 0 || token.isCancellationRequested) return undefined;
      const links = await this.#index.resolve(
        candidates.map(({ text }) => text),
        token,
      );
      for (const candidate of candidates) {
        const link = links.get(candidate.text);
        if (link?.status === 'found') return this.#show(link, candidate, position.line);
      }
    } catch (error) {
      if (!isCancelled(error)) this.#index.log.debug(`hover: ${describeError(error)}`);
    }
    return undefined;
  }

  #show(link: ResolvedLink, token: Token, line: number): vscode.Hover {
    const { time = 0 } = link;
    const words = withLocalTimes(link.preview ?? '', time, Date.now(), vscode.env.language);
    const preview = untrusted(words);
    const thread = link.thread ?? link.message;
    // The links come first: below a long message they would be out of sight.
    const contents = thread === undefined ? [preview] : [this.#head(link, thread), preview];
    return new vscode.Hover(contents, new vscode.Range(line, token.start, line, token.end));
  }

  /** Returns the lines above a preview: the links and the time. */
  #head(link: ResolvedLink, thread: Ref): vscode.MarkdownString {
    const head = this.#links.markdown(this.#opening(link, thread), this.#answering(link, thread));
    const { time = 0 } = link;
    if (time > 0) {
      const [now, locale] = [Date.now(), vscode.env.language];
      const ago = relativeTime(time, now, locale);
      head.appendMarkdown('\n\n');
      head.appendText(join([clockTime(time, now, locale), ago], ' · '));
    }
    return head;
  }

  /** Returns the links to the thread, to a reply, and to the related threads of other formats. */
  #opening(link: ResolvedLink, thread: Ref): readonly HoverLink<Act>[] {
    const { open } = this.#host;
    const iconOf = (agent: boolean): string => (agent ? 'comment-discussion' : 'mail');
    const others = (link.related ?? []).slice(0, relatedShown).map(({ ref, agent }) => ({
      target: () => open(ref, undefined),
      icon: iconOf(agent),
      label: agent ? vscode.l10n.t("Open the agent's thread") : vscode.l10n.t('Open the mail about it'),
    }));
    const first = {
      target: () => open(thread, link.message),
      icon: iconOf(link.agent ?? false),
      label: vscode.l10n.t('Open thread in Signalbox'),
    };
    const answer = {
      target: () => this.#host.reply(thread, link.message),
      icon: 'reply',
      label: vscode.l10n.t('Reply'),
    };
    return [first, ...(link.can?.includes('reply') === true ? [answer] : []), ...others];
  }

  /** Returns a link for each possible answer to a message. Its label is a stranger's, with markup escaped. */
  #answering(link: ResolvedLink, thread: Ref): readonly HoverLink<Act>[] {
    if (!this.#index.writable) return [];
    const { question, escalation } = needAt(this.#host.needs(), thread, link.message);
    const linkOf = (label: string, target: Act): HoverLink<Act> => ({
      target,
      icon: 'pass',
      label: withoutLinks(inline(label)),
    });
    if (question !== undefined) {
      const { options = [] } = question;
      return optionLabels(question).map((label, index) =>
        linkOf(label, () => this.#host.answer(question, options[index] ?? '')),
      );
    }
    if (escalation === undefined) return [];
    return suggestionLabels(escalation, actionWords()).map((label, index) =>
      linkOf(label, () => this.#host.suggest(escalation, index)),
    );
  }

  async #run(act: Act): Promise<void> {
    try {
      await act();
    } catch (error) {
      showFailure(this.#index.log, 'choose', error, () => this.#run(act));
    }
  }
}
