// The one map of keys: in lists and in threads, outside a box and in it. Pages handle keys
// by it, the keys of trees in package.json agree with it, and "?" shows it.

import type { Translate } from './fill';

/** Where a key works: in a list of rows, in a thread or task outside of its box, and in the box. */
export type KeyPlace = 'list' | 'thread' | 'box';

/** What a key does. */
export type KeyAct =
  | ('up' | 'down' | 'first' | 'last' | 'open' | 'toggle' | 'next' | 'previous')
  | ('yes' | 'no' | 'option')
  | ('reply' | 'changes' | 'terminal' | 'window')
  | ('done' | 'archive' | 'snooze' | 'read' | 'unread')
  | ('newest' | 'undo' | 'search' | 'actions' | 'keys' | 'leave')
  | ('send' | 'sendNext');

/** A pressed key: the members of a KeyboardEvent that the map uses. */
export interface Pressed {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** One line of the map. A key is named as in a KeyboardEvent, after "Ctrl+", "Alt+" or "Shift+". */
interface Line {
  readonly act: KeyAct;
  readonly keys: readonly string[];
  readonly in: readonly KeyPlace[];
}

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
const both: readonly KeyPlace[] = ['list', 'thread'];

/** The map, in the order in which it is shown. */
export const keyMap: readonly Line[] = [
  { act: 'up', keys: ['ArrowUp', 'k'], in: ['list'] },
  { act: 'down', keys: ['ArrowDown', 'j'], in: ['list'] },
  { act: 'first', keys: ['Home'], in: ['list'] },
  { act: 'last', keys: ['End'], in: ['list'] },
  { act: 'open', keys: ['Enter'], in: ['list'] },
  { act: 'toggle', keys: [' '], in: ['list'] },
  { act: 'next', keys: ['n'], in: both },
  { act: 'previous', keys: ['p'], in: both },
  { act: 'yes', keys: ['a'], in: both },
  { act: 'no', keys: ['x'], in: both },
  { act: 'option', keys: digits, in: both },
  { act: 'reply', keys: ['r'], in: both },
  { act: 'changes', keys: ['c'], in: both },
  { act: 'terminal', keys: ['t'], in: both },
  { act: 'window', keys: ['w'], in: both },
  { act: 'done', keys: ['d'], in: both },
  { act: 'archive', keys: ['e'], in: both },
  { act: 'snooze', keys: ['z'], in: both },
  { act: 'read', keys: ['m'], in: both },
  { act: 'unread', keys: ['u'], in: both },
  { act: 'newest', keys: ['g'], in: both },
  { act: 'undo', keys: ['Ctrl+z'], in: both },
  { act: 'search', keys: ['/'], in: both },
  { act: 'actions', keys: ['Shift+F10'], in: both },
  { act: 'send', keys: ['Ctrl+Enter'], in: ['box'] },
  { act: 'sendNext', keys: ['Ctrl+Shift+Enter'], in: ['box'] },
  // package.json binds Alt and a digit as well, since the editor has its own use for them.
  { act: 'option', keys: ['Alt+1', 'Alt+2', 'Alt+3'], in: ['box'] },
  { act: 'yes', keys: ['Alt+a'], in: ['box'] },
  { act: 'no', keys: ['Alt+x'], in: ['box'] },
  { act: 'leave', keys: ['Escape'], in: [...both, 'box'] },
  { act: 'keys', keys: ['?'], in: both },
];

/** Returns the name of the key for an answer, with {0} for the answer's number. */
export function answerKeyWords(t: Translate, mac: boolean): string {
  return mac ? t('⌥{0}', '{0}') : t('Alt+{0}', '{0}');
}

/** What a key does. `index` is the option that the key chooses, counted from 0. */
export interface Meaning {
  readonly act: KeyAct;
  readonly index: number;
}

/** Returns the meaning of a pressed key in a place, or undefined. */
export function meaningOf(pressed: Pressed, place: KeyPlace): Meaning | undefined {
  const name = nameOf(pressed);
  for (const { act, keys, in: places } of keyMap) {
    const index = places.includes(place) ? keys.indexOf(name) : -1;
    if (index !== -1) return { act, index };
  }
  return undefined;
}

/** Returns the name of a pressed key in the map. A character such as "?" includes its Shift. */
function nameOf({ key, code, ctrlKey, metaKey, altKey, shiftKey }: Pressed): string {
  const sign = /^[\p{L}\p{N}]$/u.test(key) && key.charCodeAt(0) < 128 ? key.toLowerCase() : key;
  // With Alt a Mac types another character. Then the key's place on the keyboard is used.
  const plain = altKey && !/^[a-z0-9]$/.test(sign) ? code.replace(/^(Key|Digit)/, '').toLowerCase() : sign;
  const shifted = shiftKey && (plain.length > 1 || /^[a-z0-9]$/.test(plain));
  const named = key.length > 1 ? key : plain;
  return `${ctrlKey || metaKey ? 'Ctrl+' : ''}${altKey ? 'Alt+' : ''}${shifted ? 'Shift+' : ''}${named}`;
}

/** Returns a key as the keyboard labels it: "Ctrl+Enter", on a Mac "⌘↩". */
export function keyName(key: string, mac: boolean): string {
  const parts = key.split('+').map((part) => {
    const named = names[part];
    if (named !== undefined) return named[mac ? 1 : 0];
    return part.length === 1 ? part.toUpperCase() : part;
  });
  return parts.join(mac ? '' : '+');
}

const names: Readonly<Record<string, readonly [string, string]>> = {
  ArrowUp: ['↑', '↑'],
  ArrowDown: ['↓', '↓'],
  ' ': ['Space', 'Space'],
  Escape: ['Esc', 'Esc'],
  Enter: ['Enter', '↩'],
  Ctrl: ['Ctrl', '⌘'],
  Alt: ['Alt', '⌥'],
  Shift: ['Shift', '⇧'],
};

/** One line of the dialog that shows the keys, and what they do. */
export interface KeyRow {
  readonly keys: readonly string[];
  readonly words: string;
  readonly box: boolean;
}

/** Returns the lines of the dialog, for a list or for a thread with its box. */
export function keyRows(t: Translate, mac: boolean, place: 'list' | 'thread'): readonly KeyRow[] {
  const words = actWords(t);
  const places: readonly KeyPlace[] = place === 'list' ? ['list'] : ['thread', 'box'];
  return keyMap
    .filter(({ in: where }) => places.some((one) => where.includes(one)))
    .map(({ act, keys, in: where }) => {
      const range = keys.length > 2;
      const shown = range ? [keys[0] ?? '', keys.at(-1) ?? ''] : keys;
      const named = shown.map((key) => keyName(key, mac));
      return {
        keys: range ? [named.join('–')] : named,
        words: words[act],
        box: where.length === 1 && where[0] === 'box',
      };
    });
}

/** Returns a description of each act. */
function actWords(t: Translate): Readonly<Record<KeyAct, string>> {
  return {
    up: t('Row above'),
    down: t('Row below'),
    first: t('First row'),
    last: t('Last row'),
    open: t('Open the thread'),
    toggle: t('Open or close the row'),
    next: t('Next that needs you, or is unread'),
    previous: t('Previous unread'),
    yes: t('Allow, approve, acknowledge'),
    no: t('Deny, keep planning'),
    option: t('Answer with an option'),
    reply: t('Reply, message, continue'),
    changes: t('Show changes'),
    terminal: t('Show terminal'),
    window: t('Open in new window'),
    done: t('No reply needed, dismiss'),
    archive: t('Archive'),
    snooze: t('Snooze'),
    read: t('Mark as read'),
    unread: t('Mark as unread'),
    newest: t('Show what is new'),
    undo: t('Undo'),
    search: t('Search'),
    actions: t('More actions'),
    keys: t('Show these keys'),
    leave: t('From the box to the row or message, then to the list, then to the editor'),
    send: t('Press the button of the box'),
    sendNext: t('The same, then go to the next that needs you'),
  };
}

/** The words of the dialog that shows the keys. */
export interface KeysWords {
  readonly title: string;
  readonly outside: string;
  readonly inBox: string;
  readonly close: string;
  readonly rows: readonly KeyRow[];
}

/** Returns the words of the dialog for a list or a thread. */
export function keysWords(t: Translate, mac: boolean, place: 'list' | 'thread'): KeysWords {
  return {
    title: t('Keys'),
    outside: t('Outside a box'),
    inBox: t('In the box'),
    close: t('Close'),
    rows: keyRows(t, mac, place),
  };
}

/** The names of the keys of a request's buttons; {0} is the number of an option. */
export interface CardKeys {
  readonly yes: string;
  readonly no: string;
  readonly option: string;
}

/** Returns the keys on a request's buttons: bare letters in a list, the box's keys in a thread. */
export function cardKeys(mac: boolean, place: 'list' | 'thread'): CardKeys {
  const names = place === 'list' ? ['a', 'x'] : ['Alt+a', 'Alt+x'];
  const [yes = '', no = ''] = names.map((key) => keyName(key, mac));
  return { yes, no, option: place === 'list' ? '{0}' : `${keyName('Alt', mac)}${mac ? '' : '+'}{0}` };
}
