// The thread views that are open.

import type { Ref } from '../protocol';
import type { ShowOptions, ThreadHost } from './host';
import { ThreadView } from './view';
import { ViewTabs } from '../views/tabs';

export interface OpenOptions extends ShowOptions {
  /** Beside the active editor, in a tab of its own. */
  readonly beside?: boolean;
}

export class Threads extends ViewTabs<ShowOptions, ThreadView> {
  constructor(host: ThreadHost) {
    super({
      type: 'signalbox.thread',
      icon: 'draft',
      resources: host.resources,
      ahead: host.ahead,
      make: (panel, ref, onDispose) => new ThreadView(host, panel, ref, onDispose),
    });
  }

  open(ref: Ref, { beside, ...options }: OpenOptions = {}): void {
    const { preserveFocus, focusReply: wantsText } = options;
    this.openTab(ref, options, { beside, preserveFocus, wantsText });
  }
}
