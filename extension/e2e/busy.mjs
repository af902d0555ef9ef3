// The busy afternoon of the boards: five agents blocked, four questions, sixteen messages that
// may want no answer. Names, branches and commands are those of the design's boards.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { say, writeThread } from './worktrees.mjs';

/** The plan of the boards. */
export const planOf = [
  'Add table `sessions`, migration 0042',
  'Write to both stores',
  'Copy 1.2 M rows, 5,000 at a time',
  'Compare counts and checksums',
  'Read from Postgres behind a flag',
  'Soak for a day, watch p95',
  'Turn the flag on for all',
  'Stop writing to Redis',
  'Drop the Redis code and its tests',
];

export const push = 'git push --force-with-lease origin fix/login';
export const clean = 'rm -rf build && npm ci';
export const payment = 'Which payment provider stays?';
export const database = 'Which database do we keep?';
export const rename = 'May I rename “token” to “credential”?';
export const compare = 'Is a constant-time compare enough, or do you want a rate limit too?';
export const tag = 'Tag 2.4.0 today or after the audit?';

/** Messages that end a conversation, or are not clear. */
const remarks = [
  ['backend', 22, 'The export now streams. It is faster, but the order of rows is no longer stable.'],
  ['ci', 64, 'The build is red.'],
  ['planner', 32, 'Thanks, but it fails on Windows.'],
  ['reviewer', 5, 'Done, except the tests.'],
  ['docs', 125, 'Done, not tested yet.'],
  ['release', 150, 'Done, 2 tests failed.'],
  ['security', 200, 'Not done yet.'],
  ...Array.from({ length: 9 }, (_, n) => ['ci', 240 + n * 31, `The nightly ${n + 1} is red.`]),
];

/** Writes it all. Returns the agents by name. */
export async function busyAfternoon(office, workspace) {
  const agents = await blocked(office, workspace);
  office.writes('reviewer', 34, compare);
  office.writes(
    'planner',
    9,
    `The migration touches every table. Postgres 14 gets fixes until November; moving now costs about a day ` +
      `and a read-only hour. ${database}\n\n- [ ] Keep Postgres 14\n- [ ] Move to Postgres 17 now\n- [ ] Move after the release`,
    'which-database',
  );
  renames(office);
  office.writes('release', 0, tag);
  for (const [from, minutes, text] of remarks) office.writes(from, minutes, text);
  return agents;
}

/** The planner, who waits with its plan. */
export async function plans(office) {
  const planner = await office.agent('planner', 'feat/sessions', { prompt: 'Move sessions to Postgres.' });
  const steps = planOf.map((step, n) => `${n + 1}. ${step}`).join('\n');
  await planner.asks(18, 'ExitPlanMode', { plan: `# Move sessions to Postgres\n\n${steps}\n` });
  return planner;
}

export const pushes = (coder) =>
  coder.asks(12, 'Bash', { command: push, description: 'Push the rebased branch.' });

export const cleans = (docs) => docs.asks(2, 'Bash', { command: clean, description: 'Build from scratch' });

export const renames = (office) =>
  office.writes(
    'docs',
    5,
    `In the public docs only; the code keeps “token”. ${rename}\n\n- [ ] Yes\n- [ ] No`,
  );

async function blocked(office, workspace) {
  failedBuild(office);
  office.escalates(workspace, 41, payment, ['Keep Stripe, drop Adyen', 'Keep both behind one interface']);
  const planner = await plans(office);
  const coder = await office.agent('coder', 'fix/login', { prompt: 'Compare passwords in constant time.' });
  coder.edits('auth.ts', { added: 120, removed: 14 });
  coder.log.says('The branch was pushed before, so this needs a force push.');
  await pushes(coder);
  const docs = await office.agent('docs', 'docs/api', { prompt: 'Build the reference of the API.' });
  docs.edits('api.md', { added: 38, removed: 6 });
  buildFolder(docs.folder);
  docs.log.says('Now I build the reference and compare the links with the old one.');
  const asked = await cleans(docs);
  return { planner, coder, docs, asked };
}

/** An agent that keeps its own thread, whose build failed three times: it gave up an hour ago. */
function failedBuild(office) {
  const project = office.folders['release/2.4'];
  const output = "src/pay/adyen.ts(41,7): error TS2322:\nType 'null' is not assignable to 'Fee'.";
  const build = (n) => ({
    ...{ toolCallId: `build-${n}`, name: 'Bash', title: 'npm run build', status: 'failed', kind: 'execute' },
    ...{ input: '{"command":"npm run build"}', output, duration: 41_000 },
  });
  const pay = join(project, 'src/pay.ts');
  const old = readFileSync(pay, 'utf8');
  const fresh = `${Array.from({ length: 44 }, (_, n) => `fee(${n});\n`).join('')}${old.split('\n').slice(3).join('\n')}`;
  writeFileSync(pay, fresh);
  const edit = {
    ...{ toolCallId: 'edit', name: 'Edit', title: 'Edit src/pay.ts', status: 'completed', kind: 'edit' },
    diff: { path: 'src/pay.ts', oldText: old, newText: fresh },
  };
  const messages = [
    say('r1', 'user', 75, 'Build release 2.4.'),
    say('r2', 'agent', 70, 'I take the new fees in.', { toolCalls: [edit, build(1), build(2), build(3)] }),
    say('r3', 'agent', 60, 'npm run build ends with exit 2 for the third time; I stop here.', {
      stopReason: 'error',
    }),
  ];
  writeThread(project, 'release-1', {
    ...{ title: 'Build release 2.4', branch: 'release/2.4', agent: 'release', messages },
  });
}

/** A folder with 214 files that are in no commit. */
function buildFolder(folder) {
  const build = join(folder, 'build');
  mkdirSync(build, { recursive: true });
  for (let n = 0; n < 214; n++) writeFileSync(join(build, `page-${n}.html`), '<p>');
}

/** The agents that wait for nobody: at work, done, idle, ended. */
export async function quietAgents(office) {
  const reviewer = await office.agent('reviewer', 'fix/login', { prompt: 'Review the login.' });
  await reviewer.stops(34, 'Two findings, both small. See the comments.');
  const migrator = await office.agent('migrator', 'checkout-v2', { prompt: 'Move the checkout.' });
  migrator.edits('store.ts', { added: 310, removed: 74 });
  await migrator.stops(6, 'All nine steps are in, tests pass, and the flag is off.');
  const deps = await office.agent('coder', 'chore/deps', { prompt: 'Update the packages.', minutes: 240 });
  deps.edits('pay.ts', { added: 16, removed: 2 });
  deps.log.says('vite is at 7.2; two packages stay behind.');
  await deps.ends(180);
  const backend = await office.agent('backend', 'main', { prompt: 'Stream the export.' });
  backend.edits('store.ts', { added: 12, removed: 4 });
  backend.log.says('The export streams; now I look at the order of its rows.');
  await backend.was('working', 3);
  return { reviewer, migrator, deps, backend };
}
