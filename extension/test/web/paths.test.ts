import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { concerns, maybeFolder, placeOf, rootOf, sorted } from '../../src/web/paths';

describe('places', () => {
  const cases: readonly (readonly [string, string | undefined, string?])[] = [
    ['0/.agent/threads/x/thread.json', 'thread', '0/.agent/threads/x'],
    ['0/a/b/.agent/threads/x/messages.jsonl', 'messages', '0/a/b/.agent/threads/x'],
    ['0/.agent/config.json', 'config', '0/.agent'],
    ['0/.agent/threads/x/y/thread.json', undefined],
    ['1/.ssot/any/where/a.json', 'task', '1/.ssot'],
    ['0/x/ssot/a.json', 'task', '0/x/ssot'],
    ['0/.ssot/.tmp.json', undefined],
    ['0/.ssot/node_modules/a.json', undefined],
    ['0/.ssot/.hidden/a.json', undefined],
    ['0/notssot/a.json', undefined],
    ['0/.agent-messaging/agents/bob/messages/inbox/alice/m.json', 'mail', '0/.agent-messaging/agents/bob'],
    ['0/messages/sent/m.json', 'mail', '0'],
    ['0/messages/inbox/.m.json', undefined],
    ['0/agents/bob/config.json', 'owner', '0/agents/bob'],
    ['0/mail/log-alice.jsonl', 'log', '0/mail'],
    ['0/mail/log-.jsonl', undefined],
    ['0/mail/blog-alice.jsonl', undefined],
  ];
  for (const [path, kind, folder] of cases) {
    it(path, () => {
      const place = placeOf(path);
      assert.equal(place?.kind, kind);
      assert.equal(place?.folder, folder);
    });
  }

  it('sorts what was found, each once', () => {
    const paths = cases.map(([path]) => path);
    const found = sorted([...paths, ...paths]);
    assert.deepEqual(found.threads, ['0/.agent/threads/x']);
    assert.deepEqual(
      [...found.tasks],
      [
        ['0/x/ssot', ['0/x/ssot/a.json']],
        ['1/.ssot', ['1/.ssot/any/where/a.json']],
      ],
    );
    assert.deepEqual([...found.mailboxes.keys()].sort(), [
      '0',
      '0/.agent-messaging/agents/bob',
      '0/agents/bob',
    ]);
    assert.deepEqual([...found.logs], [['0/mail', ['0/mail/log-alice.jsonl']]]);
  });

  it('knows what a change concerns', () => {
    for (const path of [
      '0/.agent/threads/x/messages.jsonl',
      '0/b/keys/public.pem',
      '0/b/registrations/p.json',
    ])
      assert.ok(concerns(path), path);
    for (const path of ['0/src/main.ts', '0/b/keys/private.pem', '0/package.json'])
      assert.ok(!concerns(path), path);
    for (const path of ['0/.agent', '0/.agent/threads/a1-b2', '0/ssot']) assert.ok(maybeFolder(path), path);
    for (const path of ['0/main.ts', '0/.env.local']) assert.ok(!maybeFolder(path), path);
  });

  it('knows the root of a mailbox', () => {
    assert.equal(rootOf('0/.agent-messaging/agents/bob'), '0/.agent-messaging');
    assert.equal(rootOf('0/bob'), '0/bob');
  });
});
