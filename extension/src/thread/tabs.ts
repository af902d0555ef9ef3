// The thread views that are open.

import type { Ref } from '../protocol';
import { ThreadView, type ShowOptions, type ThreadHost } from './view';
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
      make: (panel, ref, onDispose) => new ThreadView(host, panel, ref, onDispose),
    });
  }

  override open(ref: Ref, { beside = false, ...options }: OpenOptions = {}): void {
    super.open(ref, options, beside, options.preserveFocus);
  }
}
