import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fill } from '../src/fill';
import {
  cardKeys,
  keyMap,
  keyName,
  keyRows,
  meaningOf,
  type KeyAct,
  type KeyPlace,
  type Pressed,
} from '../src/keys';

const none = { code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

/** The commands that the keys of a tree run, by act. */
const treeCommands: Readonly<Partial<Record<KeyAct, readonly string[]>>> = {
  reply: ['replyToThread', 'respondToEscalation'],
  next: ['nextUnread'],
  previous: ['previousUnread'],
  done: ['noReplyNeeded'],
  archive: ['archiveThread'],
  snooze: ['snoozeThread'],
  read: ['markThreadRead'],
  unread: ['markThreadUnread'],
  yes: ['acknowledgeEscalation'],
  changes: ['showChanges', 'showAllChanges'],
  terminal: ['showAgentTerminal'],
  window: ['openInNewWindow'],
  keys: ['showKeys'],
  search: ['search'],
};

describe('the map of keys', () => {
  const cases: readonly (readonly [string, Partial<Pressed> & { readonly key: string }, KeyPlace, string])[] =
    [
      ['a letter in a thread', { key: 'r' }, 'thread', 'reply 0'],
      ['the same in its box, where one types', { key: 'r' }, 'box', ''],
      ['a letter of the list alone', { key: 'j' }, 'thread', ''],
      ['an arrow in a list', { key: 'ArrowDown' }, 'list', 'down 0'],
      ['a digit', { key: '3' }, 'list', 'option 2'],
      ['a digit with Alt in the box', { key: '3', altKey: true }, 'box', 'option 2'],
      [
        'on a Mac, where Alt types another sign',
        { key: '¡', code: 'Digit1', altKey: true },
        'box',
        'option 0',
      ],
      ['the same with a letter', { key: 'å', code: 'KeyA', altKey: true }, 'box', 'yes 0'],
      [
        'a letter where another stands in its place',
        { key: 'a', code: 'KeyQ', altKey: true },
        'box',
        'yes 0',
      ],
      ['Ctrl+Enter in the box', { key: 'Enter', ctrlKey: true }, 'box', 'send 0'],
      ['the Mac’s', { key: 'Enter', metaKey: true }, 'box', 'send 0'],
      ['with Shift', { key: 'Enter', ctrlKey: true, shiftKey: true }, 'box', 'sendNext 0'],
      ['a sign that needs Shift', { key: '?', shiftKey: true }, 'thread', 'keys 0'],
      ['a letter with Shift', { key: 'A', shiftKey: true }, 'thread', ''],
      ['a letter with Ctrl', { key: 'a', ctrlKey: true }, 'thread', ''],
      ['Ctrl+Z', { key: 'z', ctrlKey: true }, 'list', 'undo 0'],
      ['Escape', { key: 'Escape' }, 'box', 'leave 0'],
      ['More Actions', { key: 'F10', shiftKey: true }, 'list', 'actions 0'],
    ];
  for (const [title, pressed, place, expected] of cases) {
    it(title, () => {
      const meaning = meaningOf({ ...none, ...pressed }, place);
      assert.equal(meaning === undefined ? '' : `${meaning.act} ${meaning.index}`, expected);
    });
  }

  it('has each key once in a place', () => {
    for (const place of ['list', 'thread', 'box'] as const) {
      const keys = keyMap.filter((line) => line.in.includes(place)).flatMap((line) => line.keys);
      assert.deepEqual(keys.length, new Set(keys).size, place);
    }
  });

  it('is shown whole, the keys of the box apart', () => {
    const rows = keyRows(fill, false, 'thread');
    const shown = rows.map(({ keys, words, box }) => `${keys.join(' ')}: ${words}${box ? ' (box)' : ''}`);
    assert.ok(shown.includes('1–9: Answer with an option'));
    assert.ok(shown.includes('Alt+1–Alt+3: Answer with an option (box)'));
    assert.ok(
      shown.includes('Esc: From the box to the row or message, then to the list, then to the editor'),
    );
    assert.ok(!shown.some((row) => row.includes('Row below')));
  });

  it('is named as the keyboard names it', () => {
    assert.deepEqual(
      ['Ctrl+Shift+Enter', 'Alt+x', 'ArrowUp', 'n'].map((key) => keyName(key, false)),
      ['Ctrl+Shift+Enter', 'Alt+X', '↑', 'N'],
    );
    assert.equal(keyName('Ctrl+Enter', true), '⌘↩');
    assert.deepEqual(cardKeys(false, 'thread'), { yes: 'Alt+A', no: 'Alt+X', option: 'Alt+{0}' });
    assert.deepEqual(cardKeys(true, 'list'), { yes: 'A', no: 'X', option: '{0}' });
  });

  it('is that of the trees too', () => {
    const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      contributes: { keybindings: readonly { key: string; command: string; args?: unknown }[] };
    };
    for (const { key, command, args } of contributes.keybindings) {
      if (key.length !== 1 || command === 'signalbox.keyOnGroup') continue;
      const list = keyMap.find((line) => line.in.includes('list') && line.keys.includes(key));
      const last = JSON.stringify(
        (args as { commands?: readonly { command: string }[] }).commands?.at(-1) ?? { command },
      );
      const names = list === undefined ? [] : (treeCommands[list.act] ?? []);
      assert.ok(
        names.some((name) => last.includes(`"signalbox.${name}"`)),
        `${key} runs ${last}`,
      );
    }
  });
});
