// The Quick Pick that searches all mail. Typing starts a new search on the
// server; the last row fetches older results.

import { describeError, isCancelled } from '../server/failures';
import * as vscode from 'vscode';
import type { Server } from '../server/client';
import { withoutIcons } from '../strangers';
import { type Ref, type SearchHit, type SearchPage } from '../protocol';
import { relativeTime } from '../when';

const pauseMillis = 150;
const pageSize = 50;

type SearchPick = vscode.QuickPickItem &
  (
    | { readonly does: 'open'; readonly hit: SearchHit }
    | { readonly does: 'more'; readonly cursor: string }
    | { readonly does: 'insert'; readonly text: string }
  );

/** Returns the filters of the query language with their meaning, shown while the box is empty. */
function filters(): readonly (readonly [string, string])[] {
  return [
    ['from:', vscode.l10n.t('from somebody')],
    ['to:', vscode.l10n.t('to somebody')],
    ['thread:', vscode.l10n.t('in a thread')],
    ['is:unread', vscode.l10n.t('not read yet')],
    ['in:', vscode.l10n.t('in a worktree, by its branch')],
    ['protocol:', vscode.l10n.t('of a format: samp, amp, agn, atsf')],
    ['after:', vscode.l10n.t('from a day on, such as 2026-11-01')],
    ['before:', vscode.l10n.t('before a day')],
  ];
}

export function searchMail(server: Server, open: (thread: Ref, message: Ref) => void): void {
  new Search(server, open).show();
}

class Search {
  readonly #server: Server;
  readonly #open: (thread: Ref, message: Ref) => void;
  readonly #picker = vscode.window.createQuickPick<SearchPick>();
  #timer: NodeJS.Timeout | undefined;
  #asked: vscode.CancellationTokenSource | undefined;

  constructor(server: Server, open: (thread: Ref, message: Ref) => void) {
    this.#server = server;
    this.#open = open;
    this.#picker.placeholder = vscode.l10n.t('Search all mail: words, "phrases", from:, to:, is:unread …');
    this.#picker.items = helpPicks();
    this.#picker.onDidChangeValue(() => this.#changed());
    this.#picker.onDidAccept(() => this.#accepted());
    this.#picker.onDidHide(() => {
      this.#giveUp();
      this.#picker.dispose();
    });
  }

  show(): void {
    this.#picker.show();
  }

  #changed(): void {
    this.#giveUp();
    if (this.#picker.value.trim() === '') {
      this.#picker.items = helpPicks();
      this.#picker.title = undefined;
      return;
    }
    this.#timer = setTimeout(() => void this.#ask(undefined), pauseMillis);
  }

  #accepted(): void {
    const chosen = this.#picker.selectedItems[0];
    switch (chosen?.does) {
      case 'open':
        this.#picker.hide();
        this.#open(chosen.hit.thread, chosen.hit.message);
        break;
      case 'more':
        void this.#ask(chosen.cursor);
        break;
      case 'insert':
        this.#picker.value = chosen.text;
        break;
      case undefined:
        break;
    }
  }

  /** Cancels a search that is still running. */
  #giveUp(): void {
    clearTimeout(this.#timer);
    this.#asked?.cancel();
    this.#asked = undefined;
    this.#picker.busy = false;
  }

  async #ask(cursor: string | undefined): Promise<void> {
    this.#giveUp();
    const asked = new vscode.CancellationTokenSource();
    this.#asked = asked;
    this.#picker.busy = true;
    try {
      const params = {
        query: this.#picker.value,
        limit: pageSize,
        ...(cursor === undefined ? {} : { cursor }),
      };
      const page = await this.#server.request('signalbox/search', params, asked.token);
      if (this.#asked === asked) this.#take(page, cursor !== undefined);
    } catch (error) {
      if (!isCancelled(error)) {
        this.#server.log.error(`search: ${describeError(error)}`);
        if (this.#asked === asked) this.#picker.title = describeError(error);
      }
    } finally {
      if (this.#asked === asked) this.#giveUp();
      asked.dispose();
    }
  }

  #take(page: SearchPage, further: boolean): void {
    const before = further ? this.#picker.items.filter(({ does }) => does === 'open') : [];
    const found = page.hits.map((hit) => hitPick(hit));
    const rest: readonly SearchPick[] =
      page.nextCursor === undefined
        ? []
        : [
            {
              does: 'more',
              cursor: page.nextCursor,
              alwaysShow: true,
              label: `$(ellipsis) ${vscode.l10n.t('Search further back')}`,
            },
          ];
    this.#picker.items = [...before, ...found, ...rest];
    const first = found[0];
    if (further && first !== undefined) this.#picker.activeItems = [first];
    const [problem] = page.problems;
    const nothing = before.length + found.length === 0 && page.nextCursor === undefined;
    this.#picker.title = problem?.message ?? (nothing ? vscode.l10n.t('Nothing was found.') : undefined);
  }
}

function helpPicks(): readonly SearchPick[] {
  return filters().map(([text, meaning]) => ({ does: 'insert', text, label: text, description: meaning }));
}

function hitPick(hit: SearchHit): SearchPick {
  const who = hit.to === '' ? hit.from : `${hit.from} → ${hit.to}`;
  const time = relativeTime(hit.time, Date.now(), vscode.env.language);
  return {
    does: 'open',
    hit,
    // The server searches. Without this, the picker would filter its results again.
    alwaysShow: true,
    label: `${hit.unread ? '$(mail)' : '$(mail-read)'} ${withoutIcons(hit.title)}`,
    description: withoutIcons([who, time].filter((part) => part !== '').join(' · ')),
    detail: withoutIcons(hit.snippet),
  };
}
