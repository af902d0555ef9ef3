// The commands of a request's More Actions menu. The menu is the editor's: a command passes the
// action on to the page in front.

import type { CardAct } from '../request/request';

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
