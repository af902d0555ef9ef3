// The parts above the list of "Needs You", and the line that replaces the list if nothing needs
// the user or the state is unknown.

import { fill } from '../../fill';
import type { NeedsList, NeedsState } from '../../needs/needsMessages';
import { hourMinute } from '../../when';
import { drawing, element, span, type Drawing } from '../dom';
import { wordButton } from '../list/listRow';
import { toolButton } from '../tools';
import type { NeedsPage } from './needMore';

/** Makes the parts above the list. */
export function topParts(page: NeedsPage, list: NeedsList, empty: boolean): readonly HTMLElement[] {
  const { away, notes, state } = list;
  return [
    ...(away === '' ? [] : [awayElement(page, away)]),
    ...notes.map((text) => element('p', { class: 'topnote', text })),
    ...stateElement(page, state, empty),
  ];
}

function awayElement({ words, post }: NeedsPage, away: string): HTMLElement {
  const hide = toolButton('failed', words.dismiss, '', () => post({ type: 'run', command: 'away' }));
  return element(
    'div',
    { class: 'away' },
    drawing('clock'),
    element('p', {}, span(away), span(` · ${words.away}`, 'dim')),
    hide,
  );
}

function stateElement(page: NeedsPage, state: NeedsState, empty: boolean): readonly HTMLElement[] {
  const { locale, post, words } = page;
  switch (state.kind) {
    case 'starting':
      return [none('quiet', 'spin', words.starting, '')];
    case 'unknown': {
      const clock = hourMinute(state.since, locale);
      return [
        none('blocked', 'warn', words.unknown, empty ? words.unknownAll : fill(words.unknownSince, clock), [
          wordButton(words.restart, {}, () => post({ type: 'run', command: 'restart' })),
          wordButton(words.doctor, {}, () => post({ type: 'run', command: 'doctor' })),
        ]),
      ];
    }
    case 'unconnected':
      return [
        none('quiet', 'unplugged', words.unconnected, words.setUpNote, [
          wordButton(words.setUp, { class: 'main' }, () => post({ type: 'run', command: 'setUp' })),
        ]),
      ];
    case 'known':
      return empty ? [none('good', 'done', words.none, state.agents)] : [];
  }
}

function none(
  tone: string,
  icon: Drawing,
  text: string,
  note: string,
  buttons: readonly HTMLElement[] = [],
): HTMLElement {
  return element(
    'div',
    { class: `none ${tone}` },
    drawing(icon),
    element('p', { text }),
    note === '' ? undefined : element('p', { class: 'dim', text: note }),
    buttons.length === 0 ? undefined : element('div', { class: 'acts' }, ...buttons),
  );
}
