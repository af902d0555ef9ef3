// Message directories for the tests: written the way other people's tools
// write them, one append per record.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The id of a record in the spaced form of SAMP v1: keys sorted, `", "` and `": "`, text as it is. */
export function sampId({ ts, from, to, thread, body }) {
  const fields = { body, from, thread, to, ts };
  const canonical = Object.entries(fields).map(([key, value]) => `"${key}": ${JSON.stringify(value)}`);
  return createHash('sha256')
    .update(`{${canonical.join(', ')}}`)
    .digest('hex')
    .slice(0, 16);
}

/** A complete record and its line. */
export function record(ts, from, to, thread, body) {
  const fields = { ts, from, to, thread, body };
  const id = sampId(fields);
  return { id, ...fields, line: `${JSON.stringify({ id, ...fields })}\n` };
}

/** Appends from this process, to set a scene. */
export function append(dir, message) {
  mkdirSync(dir, { recursive: true });
  appendFileSync(join(dir, `log-${message.from}.jsonl`), message.line);
}

/** Appends from another process, as an agent does. */
export function appendElsewhere(dir, message) {
  const script = 'require("fs").appendFileSync(process.argv[1], process.argv[2])';
  execFileSync(process.execPath, ['-e', script, join(dir, `log-${message.from}.jsonl`), message.line]);
}

/** The records of one log, oldest first. */
export function recordsOf(dir, alias) {
  const file = join(dir, `log-${alias}.jsonl`);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** The hostile message of the tests: everything a stranger may try, in one body. */
export const hostileBody = [
  'Hello **there**.',
  '',
  '<script>document.title = "owned"</script>',
  '<img src="https://example.com/pixel.png" onerror="alert(1)">',
  '![remote](https://example.com/pixel.png)',
  '[quit](command:workbench.action.quit) [file](file:///etc/passwd) [js](javascript:alert(1)) [v](vscode://x/y)',
  '[docs](https://example.com/docs)',
  '',
  'bidi: \u202egnp.exe\u202c zero\u200bwidth',
].join('\n');

/** A small office: four agents and bob, some of it waiting for bob. Returns the records by name. */
export function writeOffice(dir, now) {
  const seconds = Math.floor(now / 1000);
  const at = (minutes) => seconds - minutes * 60;
  const parser = '2026-11-20-planner-split-the-parser';
  const records = {
    plan: record(
      at(52 * 60),
      'planner',
      'bob',
      parser,
      'Split the parser into a reader and a checker.\n\n' +
        '1. `reader` returns lines with their offsets\n2. `checker` names the rule a line breaks\n\n' +
        'The reader must not allocate per line:\n\n```go\nfor r.Next() {\n\tuse(r.Line())\n}\n```\n\n' +
        'Background: https://example.com/design/parser',
    ),
    planAnswer: record(
      at(51 * 60),
      'bob',
      'planner',
      parser,
      'Agreed. I keep the old entry point until the checker has its own tests.',
    ),
    planNext: record(
      at(42),
      'planner',
      'bob',
      parser,
      'The checker is on branch `checker`. Two things before the merge:\n\n' +
        '- **R3** is reported twice for a torn line\n- the benchmark regressed by 4 %, see `BENCHMARKS.md`\n\n' +
        'Which one do you take?',
    ),
    release: record(at(180), 'carol', 'bob', 'release-1.4', 'Is the changelog for 1.4 ready?'),
    releaseAnswer: record(at(170), 'bob', 'carol', 'release-1.4', 'Working on it.'),
    releaseNext: record(
      at(12),
      'carol',
      'bob',
      'release-1.4',
      'Thanks. The tag goes out at six, please send it before.',
    ),
    login: record(
      at(22 * 60),
      'alice',
      'bob',
      '2026-11-20-alice-fix-the-login-bug',
      'Fix the login bug in auth.ts',
    ),
    loginDone: record(
      at(21 * 60),
      'bob',
      'alice',
      '2026-11-20-alice-fix-the-login-bug',
      'Done in 4f1c2aa, tests added.',
    ),
    other: record(
      at(90),
      'alice',
      'carol',
      'flaky-tests',
      'Three runs of TestWatch failed tonight, logs are in the bucket.',
    ),
  };
  for (const message of Object.values(records)) append(dir, message);
  return records;
}
