// Hover previews of message ids and thread names, in any file. Only the token
// under the pointer is sent to the server, never the document.

import { describeError, isCancelled } from '../server/failures';
import * as vscode from 'vscode';
import type { LinkIndex, OpenMention } from './linkIndex';
import { type Ref, type ResolvedLink } from '../protocol';
import { tokensAt, type Token } from './tokens';
import { HoverLinks, untrusted, type HoverLink } from './hoverLinks';
import { Registrations } from '../registrations';

/** At most so many related threads of other formats are linked in a hover. */
const relatedShown = 2;

/** What the link of a hover opens: a thread, at one message if the token named one. */
interface Openable {
  readonly thread: Ref;
  readonly message: Ref | undefined;
}

export class Hover extends Registrations implements vscode.HoverProvider {
  readonly #index: LinkIndex;
  readonly #links: HoverLinks<Openable>;

  constructor(index: LinkIndex, open: OpenMention) {
    super();
    this.#index = index;
    this.#links = new HoverLinks(({ thread, message }) => open(thread, message));
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
    const preview = untrusted(link.preview ?? '');
    const thread = link.thread ?? link.message;
    // The link comes first: below a long message it would be out of sight.
    const contents =
      thread === undefined
        ? [preview]
        : [this.#links.markdown(linksOf({ thread, message: link.message }, link)), preview];
    return new vscode.Hover(contents, new vscode.Range(line, token.start, line, token.end));
  }
}

/** Returns the links above a preview: to the thread, and to those of other formats that go by its name. */
function linksOf(target: Openable, link: ResolvedLink): readonly HoverLink<Openable>[] {
  const iconOf = (agent: boolean): string => (agent ? 'comment-discussion' : 'mail');
  const others = (link.related ?? []).slice(0, relatedShown).map(({ ref, agent }) => ({
    target: { thread: ref, message: undefined },
    icon: iconOf(agent),
    label: agent ? vscode.l10n.t("Open the agent's thread") : vscode.l10n.t('Open the mail about it'),
  }));
  const label = vscode.l10n.t('Open thread in Signalbox');
  return [{ target, icon: iconOf(link.agent ?? false), label }, ...others];
}
