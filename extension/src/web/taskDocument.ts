// A task or one of its escalations as a document: its state, what is overdue, and
// the timeline.

import type { Escalation, TaskMessage, TaskPayload } from '@signalbox/core';
import { isoTime } from '../when';
import { limits } from './limits';
import { earlierWords, type Desk, type Key } from './model';
import { facts, paragraphs, Prose } from './prose';
import { severityTable } from '../task/words';
import { severityOf } from './taskRows';
import { readFolder, taskOf, type Task } from './tasks';
import { unsigned } from './trust';

export async function taskDocument(desk: Desk, key: Key, paths: readonly string[]): Promise<string> {
  const { l10n } = desk;
  const task = (await readFolder(desk, key.folder, paths)).tasks.get(key.id);
  if (task === undefined) return paragraphs(`# ${key.id}`, l10n.t('This task is no longer there.'));
  const writer = new Writer(desk, task);
  return paragraphs(
    `# ${l10n.t('Task {0}', task.id)}`,
    unsigned(l10n),
    await writer.standing(),
    await writer.overdue(),
    `## ${l10n.t('Timeline')}`,
    await writer.timeline(),
    await writer.refused(),
  );
}

export async function escalationDocument(desk: Desk, key: Key, paths: readonly string[]): Promise<string> {
  const { l10n } = desk;
  const task = (await readFolder(desk, key.folder, paths)).tasks.get(taskOf(key.id));
  const message = task?.messages.find(({ says }) => says.id === key.id)?.says;
  const escalation = message?.payload.escalation;
  if (task === undefined || message === undefined || escalation === undefined)
    return paragraphs(
      `# ${await new Prose(desk.calls).code(key.id)}`,
      l10n.t('This escalation is no longer there.'),
    );
  const writer = new Writer(desk, task);
  const severity = writer.severity(escalation);
  return paragraphs(
    `# ${l10n.t('{0}: escalation of task {1}', severity, task.id)}`,
    await writer.headOf(message),
    unsigned(l10n),
    await writer.escalation(escalation),
    `> ${l10n.t('Acknowledging and answering need the desktop.')}`,
    `## ${l10n.t('The task now')}`,
    await writer.standing(),
    await writer.overdue(),
    `## ${l10n.t('Timeline')}`,
    await writer.timeline(),
  );
}

class Writer {
  readonly #desk: Desk;
  readonly #l10n: Desk['l10n'];
  readonly #prose: Prose;
  readonly #task: Task;

  constructor(desk: Desk, task: Task) {
    this.#desk = desk;
    this.#l10n = desk.l10n;
    this.#prose = new Prose(desk.calls);
    this.#task = task;
  }

  severity(escalation: Escalation): string {
    return severityTable(this.#l10n.t)[severityOf(escalation.severity)];
  }

  /** Returns the task's state. */
  async standing(): Promise<string> {
    const { state } = this.#task;
    const who = await Promise.all(state.suspended.map((name) => this.#prose.inline(name)));
    return paragraphs(
      facts(this.#l10n.t('State: {0}', state.phase), this.#l10n.t('rejections: {0}', state.rejects)),
      state.next.who === ''
        ? ''
        : this.#l10n.t(
            'Next: {0}: {1}',
            await this.#prose.inline(state.next.who),
            await this.#prose.inline(state.next.do),
          ),
      who.length === 0 ? '' : `> ${this.#l10n.t('Suspended: {0}. They wait for an answer.', who.join(', '))}`,
    );
  }

  async overdue(): Promise<string> {
    const lines = this.#task.alarms.map(async ({ severity, description, since }) => {
      const text = await this.#prose.inline(description);
      return `- ${await this.#prose.inline(severity)}: ${text} (${this.#l10n.t('since {0}', isoTime(since))})`;
    });
    return section(this.#l10n.t('Overdue'), await Promise.all(lines));
  }

  async refused(): Promise<string> {
    const lines = this.#task.refused.slice(0, limits.shown).map(async ({ says, path }) => {
      const [fault] = says.faults;
      const why = fault === undefined ? '' : `${fault.rule}: ${await this.#prose.inline(fault.reason)}`;
      return `- ${await this.#prose.code(this.#desk.files.label(path))} ${why}`;
    });
    return section(this.#l10n.t('Rejected'), await Promise.all(lines));
  }

  async timeline(): Promise<string> {
    const { messages } = this.#task;
    const before = messages.length - limits.shown;
    const parts = [earlierWords(this.#l10n, before)];
    for (const { says } of messages.slice(-limits.shown)) parts.push(await this.#step(says));
    return paragraphs(...parts);
  }

  /** Returns who wrote a message, when, and whether it was acknowledged. */
  async headOf(message: TaskMessage): Promise<string> {
    const ack = this.#task.acks.find(({ says }) => says.msgId === message.id)?.says;
    const wait = this.#task.state.waits.find(({ msgId }) => msgId === message.id);
    const missing = wait === undefined ? '' : this.#l10n.t('ACK due {0}', isoTime(wait.deadline));
    return facts(
      await this.#prose.inline(`${message.from} → ${message.to}`),
      isoTime(message.time.millis),
      await this.#prose.code(message.id),
      ack === undefined ? missing : this.#l10n.t('acknowledged {0}', isoTime(ack.millis)),
      wait?.overdue === true ? this.#l10n.t('overdue') : '',
    );
  }

  async #step(message: TaskMessage): Promise<string> {
    const answer = this.#task.resumes.find(({ says }) => says.msgId === message.id)?.says;
    const answered =
      answer === undefined
        ? ''
        : paragraphs(
            `**${this.#l10n.t('Answered: {0}', await this.#prose.inline(answer.action))}** ${isoTime(answer.millis)}`,
            await this.#prose.markdown(answer.text),
          );
    const parts = [
      `### ${await this.#prose.inline(message.type)}`,
      await this.headOf(message),
      await this.#payload(message.payload),
      answered,
    ];
    return paragraphs(...parts);
  }

  async #payload({ dispatch, result, request, verdict, escalation }: TaskPayload): Promise<string> {
    if (dispatch !== undefined)
      return paragraphs(
        await this.#prose.markdown(dispatch.description),
        facts(
          this.#l10n.t('branch {0}', await this.#prose.code(dispatch.branch)),
          this.#l10n.t('risk {0}', await this.#prose.inline(dispatch.risk)),
        ),
        await this.#prose.list(dispatch.criteria),
      );
    if (result !== undefined)
      return paragraphs(
        facts(await this.#prose.inline(result.status), `+${result.linesAdded} −${result.linesRemoved}`),
        await this.#prose.list([...result.notes, ...(result.blockers ?? [])]),
        await this.#prose.list(result.files),
      );
    if (request !== undefined)
      return paragraphs(
        await this.#prose.inline(request.scope),
        await this.#prose.markdown(request.notes ?? ''),
      );
    if (verdict !== undefined)
      return paragraphs(
        `**${await this.#prose.inline(verdict.decision)}**`,
        await this.#prose.list(
          (verdict.issues ?? []).map((i) => `${i.severity}: ${i.file}:${i.line} ${i.description}`),
        ),
        await this.#prose.list(verdict.criteria.map((c) => `${c.text}: ${c.evidence}`)),
      );
    return escalation === undefined ? '' : this.escalation(escalation);
  }

  async escalation(escalation: Escalation): Promise<string> {
    const { snapshot } = escalation;
    return paragraphs(
      facts(this.severity(escalation), await this.#prose.inline(escalation.kind)),
      await this.#prose.markdown(escalation.description),
      escalation.affected.length === 0
        ? ''
        : paragraphs(this.#l10n.t('Messages it is about:'), await this.#prose.list(escalation.affected)),
      this.#l10n.t(
        'The task, as the sender saw it: {0}, rejections: {1}, last success: {2}',
        await this.#prose.inline(snapshot.taskStatus),
        snapshot.rejectCount,
        await this.#prose.inline(snapshot.lastSuccessful),
      ),
      (escalation.suggested ?? []).length === 0
        ? ''
        : paragraphs(this.#l10n.t('Suggested:'), await this.#prose.list(escalation.suggested ?? [])),
    );
  }
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : paragraphs(`## ${title}`, lines.join('\n'));
}

/** Returns a task, or one of its messages, in a few lines, for a hover. */
export async function taskPreview(
  desk: Desk,
  key: Key,
  message: string,
  paths: readonly string[],
): Promise<string> {
  const task = (await readFolder(desk, key.folder, paths)).tasks.get(key.id);
  if (task === undefined) return '';
  const writer = new Writer(desk, task);
  const prose = new Prose(desk.calls, limits.name);
  const said = task.messages.find(({ says }) => says.id === message)?.says;
  const dispatch = task.messages.find(({ says }) => says.payload.dispatch !== undefined)?.says;
  const shown = said ?? dispatch;
  const text = shown?.payload.escalation?.description ?? shown?.payload.dispatch?.description ?? '';
  return paragraphs(
    `**${desk.l10n.t('Task {0}', task.id)}**`,
    said === undefined ? '' : facts(await prose.inline(said.type), await writer.headOf(said)),
    await prose.markdown(text, limits.hover / 4),
    await writer.standing(),
    unsigned(desk.l10n),
  );
}
