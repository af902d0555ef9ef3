// The doctor's results as rows: what was checked, what was found and why, whether that is
// right, and what can be done. The page and the text show the same rows.

import { fill, join, type Translate } from '../fill';
import type { Directory, MailRoot, SSOT, Status } from '../protocol';
import { remedyWords } from '../server/failureWords';
import { inline } from '../strangers';
import type { State } from './facts';
import { verdictWords, type Verdict } from './words';
import type { SettingProblem } from '../settings';

/** What a row's button does: it runs a command, or opens a file. */
export type Step =
  | { readonly label: string; readonly command: string; readonly argument?: string }
  | { readonly label: string; readonly file: string };

export interface DoctorRow {
  readonly verdict: Verdict;
  readonly what: string;
  readonly found: string;
  /** Where it comes from, or the reason. */
  readonly why: string;
  readonly steps: readonly Step[];
}

export interface DoctorSection {
  readonly title: string;
  readonly rows: readonly DoctorRow[];
}

/** The facts that the doctor checks. */
export interface DoctorFacts {
  readonly editor: string;
  readonly trusted: boolean;
  /** The server's program and where it was found; empty if none was. */
  readonly command: string;
  /** Why there is no status. */
  readonly problem: string;
  readonly status: Status | undefined;
  readonly settings: readonly SettingProblem[];
  /** The programs that run agents, or why they are not known. */
  readonly agents: readonly State[] | string;
}

export function doctorSections(facts: DoctorFacts, t: Translate): readonly DoctorSection[] {
  const { status } = facts;
  const sections = [
    { title: t('This Window'), rows: windowRows(facts, t) },
    { title: t('Your Mail'), rows: status === undefined ? [] : mailRows(status, t) },
    { title: t('Signed Mail'), rows: (status?.mailRoots ?? []).flatMap((root) => signedRows(root, t)) },
    { title: t('Tasks'), rows: (status?.ssots ?? []).map((tasks) => taskRow(tasks, t)) },
    { title: t('Agents'), rows: [...projectRows(status, t), ...agentRows(facts.agents, t)] },
    { title: t('Remarks'), rows: status === undefined ? [] : remarkRows(status, t) },
  ];
  return sections.filter(({ rows }) => rows.length > 0);
}

function windowRows(facts: DoctorFacts, t: Translate): readonly DoctorRow[] {
  const words = remedyWords(t);
  const { status, command, problem, trusted } = facts;
  const trust = { label: words.trust, command: 'workbench.trust.manage' };
  const restart = { label: words.restart, command: 'signalbox.restartServer' };
  const log = { label: words.log, command: 'signalbox.showLog' };
  const path = settingStep('server.path', t);
  return [
    { verdict: 'fact', what: t('Editor'), found: facts.editor, why: '', steps: [] },
    trusted
      ? { verdict: 'good', what: t('Workspace'), found: t('trusted'), why: '', steps: [] }
      : row('bad', t('Workspace'), t('not trusted'), t('Signalbox only reads here'), [trust]),
    status === undefined
      ? row('bad', t('Server'), command || t('none'), problem, command === '' ? [path, log] : [restart, log])
      : row('good', t('Server'), command, t('version {0}', status.version), [restart, log]),
    ...facts.settings.map(({ name, wanted }) =>
      row('bad', t('Setting {0}', `signalbox.${name}`), t('its default is used'), t('must be {0}', wanted), [
        settingStep(name, t),
      ]),
    ),
  ];
}

function mailRows(status: Status, t: Translate): readonly DoctorRow[] {
  const { alias, aliasOrigin, aliasValid, profile, profileOrigin } = status;
  const set = { label: remedyWords(t).alias, command: 'signalbox.setAlias' };
  return [
    row(aliasValid ? 'good' : 'bad', t('Your name'), alias || t('none'), aliasOrigin, [set]),
    row('fact', t('Form of new ids'), profile, profileOrigin, [settingStep('mail.idForm', t)]),
    ...status.directories.map((directory) => directoryRow(directory, t)),
  ];
}

function directoryRow(directory: Directory, t: Translate): DoctorRow {
  const { path, origin, exists, writable, error = '', messages, malformed, suspicious } = directory;
  const counted = [
    t('messages: {0}', String(messages)),
    malformed > 0 ? t('lines that cannot be read: {0}', String(malformed)) : '',
    suspicious > 0 ? t('may be forged: {0}', String(suspicious)) : '',
  ];
  const state = !exists
    ? t('does not exist yet: the first message makes it')
    : error || (writable ? join(counted, ', ') : t('cannot be written: {0}', join(counted, ', ')));
  const choose = { label: t('Choose Another…'), command: 'signalbox.chooseDirectory' };
  const filter = { label: t('Show Suspicious'), command: 'signalbox.filterSuspicious' };
  const bad = error !== '' || (exists && !writable) || malformed + suspicious > 0;
  const verdict = bad ? 'bad' : exists ? 'good' : 'fact';
  const steps = suspicious > 0 ? [filter, choose] : [choose];
  return row(verdict, t('Message directory'), path, join([state, origin], ' · '), steps);
}

function signedRows(root: MailRoot, t: Translate): readonly DoctorRow[] {
  const { path, origin, error = '', messages, boxes } = root;
  const own = boxes.filter((box) => box.own);
  const directory = row(
    error === '' ? 'good' : 'bad',
    t('Directory of mailboxes'),
    path,
    join([error || t('messages: {0}', String(messages)), origin], ' · '),
    [settingStep('amp.directory', t)],
  );
  if (boxes.length === 0) return [directory];
  const choose = [settingStep('amp.identity', t)];
  const names = boxes.map(({ name }) => name).join(', ');
  const yours = own.map(({ name, address, fingerprint = '', signs }) =>
    row(
      signs ? 'good' : 'bad',
      t('Your mailbox'),
      address || name,
      signs ? fingerprint : t('has no key to sign with'),
      choose,
    ),
  );
  const none = row('bad', t('Your mailbox'), t('none'), t('there are: {0}', names), choose);
  return [directory, ...(yours.length > 0 ? yours : [none])];
}

function taskRow(
  { path, origin, exists, writable, error = '', tasks, rejected }: SSOT,
  t: Translate,
): DoctorRow {
  const counted = join(
    [
      t('tasks: {0}', String(tasks)),
      rejected > 0 ? t('messages that break a rule: {0}', String(rejected)) : '',
    ],
    ', ',
  );
  const state = !exists
    ? t('does not exist')
    : error || (writable ? counted : t('cannot be written: {0}', counted));
  const bad = error !== '' || !exists || !writable || rejected > 0;
  return row(bad ? 'bad' : 'good', t('Task directory'), path, join([state, origin], ' · '), [
    settingStep('tasks.directory', t),
  ]);
}

function projectRows(status: Status | undefined, t: Translate): readonly DoctorRow[] {
  return (status?.projects ?? []).map(({ path, origin, worktrees }) =>
    row('fact', t('Project'), path, join([t('worktrees: {0}', String(worktrees.length)), origin], ' · '), []),
  );
}

function agentRows(agents: readonly State[] | string, t: Translate): readonly DoctorRow[] {
  if (typeof agents === 'string')
    return agents === '' ? [] : [row('bad', t('Programs'), t('not known'), agents, [])];
  const states: Readonly<Record<State['state'], string>> = {
    'set up': t('set up'),
    'out of date': t('out of date'),
    'not set up': t('not set up'),
    'cannot be read': t('its settings cannot be read'),
    'switched off': t('set up, and switched off in its settings'),
  };
  const setUp = { label: t('Set Up…'), command: 'signalbox.setUp' };
  return agents.map(({ title, state, files = [] }) => {
    const why = files.map(({ path, reason }) => `${path}: ${reason}`).join('; ');
    const open = files.map(({ path }) => ({ label: t('Open File'), file: path }));
    const byHand = state === 'cannot be read' || state === 'switched off';
    const steps = state === 'set up' ? [] : byHand ? open : [setUp];
    const verdict = state === 'set up' ? 'good' : state === 'not set up' ? 'fact' : 'bad';
    return row(verdict, title, states[state], why, steps);
  });
}

function remarkRows({ warnings }: Status, t: Translate): readonly DoctorRow[] {
  return warnings.map(({ rule, message, path }) =>
    row('bad', rule, message, '', path === undefined ? [] : [{ label: t('Open File'), file: path }]),
  );
}

function row(verdict: Verdict, what: string, found: string, why: string, steps: readonly Step[]): DoctorRow {
  return { verdict, what, found, why, steps };
}

function settingStep(name: string, t: Translate): Step {
  return {
    label: t('Open Setting'),
    command: 'workbench.action.openSettings',
    argument: `signalbox.${name}`,
  };
}

/** Returns the rows in Markdown, to be pasted into a report. */
export function doctorAsMarkdown(sections: readonly DoctorSection[], t: Translate): string {
  const verdicts = verdictWords(t);
  const lines = sections.flatMap(({ title, rows }) => [
    '',
    `## ${title}`,
    '',
    ...rows.map(({ verdict, what, found, why }) => {
      const reason = why === '' ? '' : fill(' ({0})', inline(why));
      return `- ${verdicts[verdict]}: ${inline(what)}: ${inline(found)}${reason}`;
    }),
  ]);
  return [`# ${t('Signalbox Doctor')}`, ...lines, ''].join('\n');
}
