import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { letterKeys, withBreaks, type Binding } from '../../src/views/letterKeys';

const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  contributes: { keybindings: readonly Binding[] };
};

describe('letters that are keys of a list', () => {
  const letterOf = letterKeys(contributes.keybindings);

  it('are known by the commands they run', () => {
    const cases: readonly (readonly [string, string, string])[] = [
      ['replyToThread', 'selected', 'r'],
      ['archiveThread', 'selected', 'e'],
      ['noReplyNeeded', 'selected', 'd'],
      ['snoozeThread', 'selected', 'z'],
      ['markThreadRead', 'selected', 'm'],
      ['markThreadUnread', 'selected', 'u'],
      ['nextUnread', 'selected', 'n'],
      ['previousUnread', 'selected', 'p'],
    ];
    for (const [command, argument, letter] of cases)
      assert.equal(letterOf(`signalbox.${command}`, argument), letter, `${command} ${argument}`);
  });

  it('are not taken for what else runs these commands', () => {
    assert.equal(letterOf('signalbox.archiveThread', undefined), undefined);
    assert.equal(letterOf('signalbox.archiveThread', { kind: 'thread' }), undefined);
    assert.equal(letterOf('signalbox.undo', 'selected'), undefined, 'a key with Ctrl');
    assert.equal(letterOf('signalbox.chooseAnswer', 1), undefined);
  });

  it('leave no key of a list out', () => {
    const letters = contributes.keybindings.filter(
      ({ key, command }) => String(key).length === 1 && command !== 'signalbox.keyOnGroup',
    );
    for (const binding of letters) {
      assert.equal(
        letterKeys([binding])(...lastOf(binding)),
        binding.key,
        `the key ${String(binding.key)} of ${String(binding.command)}`,
      );
    }
  });
});

function lastOf({ command, args }: Binding): [string, unknown] {
  const { commands } = (typeof args === 'object' ? args : {}) as { commands?: readonly Binding[] };
  const last = commands?.at(-1) ?? { command, args };
  return [String(last.command), last.args];
}

describe('Enter in what is typed ahead', () => {
  it('is a new line', () => {
    assert.equal(withBreaks('', []), '');
    assert.equal(withBreaks('one', []), 'one');
    assert.equal(withBreaks('onetwo', [3]), 'one\ntwo');
    assert.equal(withBreaks('onetwo', [3, 3, 6]), 'one\n\ntwo\n');
  });

  it('is at the end where the text before it was taken back', () => {
    assert.equal(withBreaks('on', [3]), 'on\n');
  });
});
