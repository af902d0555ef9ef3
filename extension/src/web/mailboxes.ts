// amp/0.1: the mailboxes in the workspace, grouped by their root as on the desktop.

import type { Mail } from '@signalbox/core';
import { isoTime } from '../when';
import { tooLarge } from './agentThreads';
import { limits } from './limits';
import {
  countWords,
  earlierWords,
  failedGroup,
  newestFirst,
  type Desk,
  type Group,
  type Key,
  type Part,
  type Target,
  type ThreadRow,
} from './model';
import { nameOf, rootOf, within } from './paths';
import { facts, paragraphs, Prose } from './prose';
import { ownerOf, trustWords, type Letter, type Owner } from './trust';

/** The mail in the mailboxes of one root. */
interface Root {
  readonly owners: readonly Owner[];
  /** Each message once, oldest first. */
  readonly letters: readonly Letter[];
  /** By thread. */
  readonly threads: ReadonlyMap<string, readonly Letter[]>;
  readonly notes: readonly string[];
}

type Mailboxes = ReadonlyMap<string, readonly string[]>;

export async function mailPart(desk: Desk, mailboxes: Mailboxes): Promise<Part> {
  const groups: Group[] = [];
  const tokens: (readonly [string, Target])[] = [];
  const prose = new Prose(desk.calls);
  for (const folder of new Set([...mailboxes.keys()].map(rootOf))) {
    try {
      const root = await readRoot(desk, folder, mailboxes);
      if (root.threads.size === 0 && root.notes.length === 0) continue;
      const threads: ThreadRow[] = [];
      for (const [id, letters] of root.threads) {
        const key: Key = { kind: 'amp', folder, id };
        threads.push(await rowOf(desk, prose, key, letters));
        for (const { mail } of letters) tokens.push([mail.id, { key, message: mail.id }]);
      }
      const title = desk.files.label(folder);
      groups.push({ format: 'amp', folder, title, threads: threads.sort(newestFirst), notes: root.notes });
    } catch (error) {
      groups.push(failedGroup(desk, 'amp', folder, error));
    }
  }
  return { groups, tokens };
}

async function rowOf({ l10n }: Desk, prose: Prose, key: Key, letters: readonly Letter[]): Promise<ThreadRow> {
  const mail = letters.at(-1)?.mail;
  const fault = letters.flatMap((letter) => letter.mail.faults).at(0);
  const count = letters.length;
  const urgent = mail?.priority === 'urgent' || mail?.priority === 'high' ? mail.priority : '';
  return {
    key,
    title: (await prose.line(mail?.subject ?? '')) || l10n.t('(no subject)'),
    facts: [urgent, await prose.line(`${mail?.from ?? ''} → ${mail?.to ?? ''}`, 80), countWords(l10n, count)],
    time: mail === undefined ? 0 : timeOf(mail),
    fault: fault === undefined ? '' : await prose.line(`${fault.rule}: ${fault.reason}`, 300),
  };
}

function timeOf({ time, local }: Mail): number {
  return time.ok ? time.millis : local.received.millis;
}

async function readRoot(desk: Desk, folder: string, mailboxes: Mailboxes): Promise<Root> {
  const owners: Owner[] = [];
  const letters = new Map<string, Letter>();
  const notes: string[] = [];
  let left: number = limits.store;
  for (const [mailbox, paths] of mailboxes) {
    if (rootOf(mailbox) !== folder) continue;
    const owner = await ownerOf(desk, mailbox);
    owners.push(owner);
    for (const path of paths) {
      const letter =
        left > 0
          ? await readLetter(desk, path, owner)
          : desk.l10n.t('There is more mail than a browser reads.');
      if (typeof letter === 'string') {
        if (!notes.includes(letter)) notes.push(letter);
        continue;
      }
      if (letter === undefined) continue;
      left -= letter.data.length;
      // The sender's mailbox has a copy too. The receiver's copy says more.
      const known = letters.get(letter.mail.id);
      if (known === undefined || (!known.received && letter.received)) letters.set(letter.mail.id, letter);
    }
  }
  const all = [...letters.values()];
  all.sort((a, b) => timeOf(a.mail) - timeOf(b.mail) || (a.mail.id < b.mail.id ? -1 : 1));
  return { owners, letters: all, threads: await inThreads(desk, all), notes };
}

/** Reads a message. Returns undefined for a file that is none, and a text if it cannot be read. */
async function readLetter(desk: Desk, path: string, owner: Owner): Promise<Letter | string | undefined> {
  const { calls, files, memo } = desk;
  const data = await files.read(path, limits.mail);
  if (data === undefined) return undefined;
  if (typeof data === 'number') return tooLarge(desk.l10n, nameOf(path), data);
  const mail = await memo.of(path, 'mail', async () => {
    const { protocol, kind } = await calls.json('mail.detect', { name: nameOf(path) }, [
      data.subarray(0, limits.small),
    ]);
    if (protocol !== 'amp' || kind !== 'message') return undefined;
    return calls.json('amp.message', {}, [data]).catch(() => undefined);
  });
  if (mail === undefined || mail.id === '') return undefined;
  return { mail, data, path, owner, received: within(owner.mailbox, path).startsWith('messages/inbox/') };
}

async function inThreads({ calls }: Desk, letters: readonly Letter[]): Promise<Root['threads']> {
  const links = letters.map(({ mail }) => ({ id: mail.id, inReplyTo: mail.inReplyTo || undefined }));
  const { places } = await calls.json('amp.threads', { links });
  const threads = new Map<string, Letter[]>();
  letters.forEach((letter, i) => {
    const id = places[i]?.thread ?? letter.mail.id;
    const list = threads.get(id) ?? [];
    threads.set(id, list);
    list.push(letter);
  });
  return threads;
}

export async function mailDocument(desk: Desk, key: Key, mailboxes: Mailboxes): Promise<string> {
  const { l10n } = desk;
  const prose = new Prose(desk.calls);
  const root = await readRoot(desk, key.folder, mailboxes);
  const letters = root.threads.get(key.id) ?? [];
  const subject = letters.at(-1)?.mail.subject ?? '';
  const parts = [`# ${subject === '' ? l10n.t('(no subject)') : await prose.inline(subject)}`];
  const before = letters.length - limits.shown;
  parts.push(earlierWords(l10n, before));
  for (const letter of letters.slice(-limits.shown)) parts.push(await letterOf(desk, prose, letter, root));
  return paragraphs(...parts);
}

async function letterOf(desk: Desk, prose: Prose, letter: Letter, root: Root): Promise<string> {
  const { l10n } = desk;
  const { mail } = letter;
  const files = mail.payload.attachments.slice(0, limits.shown).map(async ({ filename, size }) => {
    return `- ${l10n.t('Attached: {0}, {1} bytes. The desktop checks and opens it.', await prose.code(filename), size)}`;
  });
  const faults = mail.faults
    .slice(0, 10)
    .map(async (fault) => `> ${fault.rule}: ${await prose.inline(fault.reason)}`);
  return paragraphs(
    `## ${facts(await prose.inline(`${mail.from} → ${mail.to}`), isoTime(timeOf(mail)))}`,
    facts(
      await prose.code(mail.id),
      await prose.inline(mail.subject),
      mail.priority === 'normal' ? '' : await prose.inline(mail.priority),
    ),
    `_${await trustWords(desk, prose, letter, root.owners, root.letters)}_`,
    ...(await Promise.all(faults)),
    await prose.markdown(mail.payload.text),
    (await Promise.all(files)).join('\n'),
  );
}

/** Returns one message, or the last ones of a thread, in a few lines, for a hover. */
export async function mailPreview(
  desk: Desk,
  target: Target,
  mailboxes: Mailboxes,
  count: number,
): Promise<string> {
  const prose = new Prose(desk.calls, limits.name);
  const root = await readRoot(desk, target.key.folder, mailboxes);
  const all = root.threads.get(target.key.id) ?? [];
  const letters = all.filter(({ mail }) => target.message === '' || mail.id === target.message).slice(-count);
  const parts: string[] = [];
  for (const letter of letters) {
    const { mail } = letter;
    parts.push(
      `**${await prose.inline(mail.subject)}**`,
      facts(await prose.inline(`${mail.from} → ${mail.to}`), isoTime(timeOf(mail))),
      await prose.markdown(mail.payload.text, limits.hover / (count + 1)),
      `_${await trustWords(desk, prose, letter, root.owners, root.letters)}_`,
    );
  }
  return paragraphs(...parts);
}
