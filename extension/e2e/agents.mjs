// Agents' threads for the tests: one fixes a login, one is hostile.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appendLine, appendMessage, attach, picture, say, writeThread } from './worktrees.mjs';

/** The title of the thread of writeLogin. */
export const login = 'Compare passwords in constant time';
const before = 'export function same(a: string, b: string): boolean {\n  return a == b;\n}\n';
/** The text that its edit of src/auth.ts made. */
export const after =
  "import { timingSafeEqual } from 'node:crypto';\n\n" +
  'export function same(a: string, b: string): boolean {\n' +
  '  const left = Buffer.from(a);\n  const right = Buffer.from(b);\n' +
  '  return left.length === right.length && timingSafeEqual(left, right);\n}\n';

/** The thread of the pictures: a request with an image, thoughts, reading, an edit, a failed and a good test. */
export function writeLogin(project) {
  const call = (toolCallId, name, title, status, more) => ({ toolCallId, name, title, status, ...more });
  const folder = writeThread(project, 'login-1', {
    title: login,
    branch: 'main',
    messages: [say('1', 'user', 0, '')],
  });
  const image = attach(folder, picture());
  const messages = [
    say('m1', 'user', 31, [
      {
        type: 'text',
        text: 'The login form says *wrong password* faster the earlier the passwords differ. Fix it.',
      },
      image,
    ]),
    say(
      'm2',
      'agent',
      29,
      [
        {
          type: 'thinking',
          text: 'The comparison returns at the first difference, so its time tells how much is right. `timingSafeEqual` needs buffers of the same length.',
        },
        { type: 'text', text: 'The comparison in `auth.ts` stops at the first difference. I replace it:' },
      ],
      {
        model: 'claude-sonnet-4-5',
        stopReason: 'end_turn',
        toolCalls: [
          call('t1', 'Read', 'Read src/auth.ts', 'completed', {
            kind: 'read',
            duration: 34,
            input: '{"path":"src/auth.ts"}',
            output: before,
            locations: [{ path: 'src/auth.ts', line: 1 }],
          }),
          call('t2', 'Edit', 'Edit src/auth.ts', 'completed', {
            kind: 'edit',
            duration: 1200,
            input: '{"path":"src/auth.ts"}',
            diff: { path: 'src/auth.ts', oldText: before, newText: after },
          }),
          call('t3', 'Bash', 'npm test', 'failed', {
            kind: 'execute',
            duration: 72_000,
            input: 'npm test',
            output: 'FAIL test/auth.test.ts\n  expected true, got false\n\n1 failing',
          }),
          call('t4', 'Bash', 'npm test -- --watch', 'running', {
            kind: 'execute',
            input: 'npm test -- --watch',
          }),
        ],
      },
    ),
    say('m3', 'agent', 28, 'Done. The comparison takes the same time for every password of one length.', {
      model: 'claude-sonnet-4-5',
    }),
  ];
  writeThread(project, 'login-1', { title: login, branch: 'main', messages });
  return folder;
}

/** Writes a hostile thread: scripts, SVG, paths out of assets/, a wrong digest, a broken line. */
export function writeHostile(project, outside) {
  const title = 'A gift from mallory';
  const options = { title, branch: 'main', agent: 'Mallory', messages: [say('1', 'user', 0, '')] };
  const folder = writeThread(project, 'gift', options);
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>document.title="owned"</script></svg>';
  const wrong = { type: 'image', assetRef: 'sha256-0000000000000000.png', mimeType: 'image/png' };
  writeFileSync(join(folder, 'assets', wrong.assetRef), picture(20, 20));
  writeFileSync(join(outside, 'secret.png'), picture(30, 30));
  const attempt = '<script>document.title="owned"</script><img src=x onerror="document.title=\'owned\'">';
  const messages = [
    say('h1', 'user', 3000, [
      { type: 'text', text: `Look: ${attempt} [run](command:workbench.action.quit)` },
      { type: 'thinking', text: attempt },
      attach(folder, svg, 'svg'),
      attach(folder, svg, 'png'),
      { type: 'image', assetRef: '../../../../../secret.png', mimeType: 'image/png' },
      { type: 'image', assetRef: 'sha256-ffffffffffffffff.png', mimeType: 'image/png' },
      wrong,
      { type: 'video', uri: 'https://example.com/v.mp4' },
    ]),
    say('h2', 'agent', 2999, [], {
      toolCalls: [
        {
          toolCallId: 'x',
          name: `Read ${attempt}`,
          status: `done ${attempt}`,
          input: attempt,
          output: `\u202e${attempt}`,
          diff: { path: '../../etc/passwd.json', oldText: '{}', newText: attempt },
        },
      ],
    }),
  ];
  writeThread(project, 'gift', { ...options, messages });
  appendLine(folder, 'this is no message');
  appendMessage(folder, say('h3', 'agent', 2998, 'The end.'));
}
