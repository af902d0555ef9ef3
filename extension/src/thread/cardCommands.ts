// The lines of More Actions of a request. The menu is the editor's: it calls a command, which
// tells the page on which it was opened.

import type { CardAct } from '../request/request';

/** A page with a request. */
export interface CardPage {
  card(act: CardAct): void;
}

export function cardCommands(front: () => CardPage | undefined): Record<string, () => void> {
  return {
    copyRequest: () => front()?.card('copy'),
    allowFromNowOn: () => front()?.card('always'),
    refuseRequest: () => front()?.card('refuse'),
  };
}
