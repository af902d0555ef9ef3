// The open thread views.

import type { Ref } from '../protocol';
import type { ShowOptions, ThreadHost } from './host';
import { ThreadView } from './view';
import { ViewTabs } from '../views/tabs';

export interface OpenOptions extends ShowOptions {
  /** Opens the thread beside the active editor, in its own tab. */
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
