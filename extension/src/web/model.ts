// The plain data that the modules of the formats make and the views show. Titles
// and all other words of strangers are single lines that the core made safe to
// show as text.

import type * as vscode from 'vscode';
import type { EscalationSeverity } from '../protocol';
import type { Calls } from './calls';

/** Translates our own words, like vscode.l10n. */
export type L10n = Pick<typeof vscode.l10n, 't'>;

/** The files of the workspace. Their paths are explained in paths.ts. */
export interface Files {
  /** Returns a file's bytes, undefined if there is no such file, or the size of a file larger than `most`. */
  read(path: string, most: number): Promise<Uint8Array | number | undefined>;
  /** Returns the names of the files in a folder; none if there is no such folder. */
  list(folder: string): Promise<readonly string[]>;
  /** Returns a folder's name for people. */
  label(folder: string): string;
}

/** Caches what was made of a file until the file changes. */
export interface Memo {
  of<T>(path: string, what: string, make: () => Promise<T>): Promise<T>;
}

/** What the modules of the formats work with. */
export interface Desk {
  readonly calls: Calls;
  readonly files: Files;
  readonly memo: Memo;
  readonly l10n: L10n;
  /** In Unix milliseconds. */
  readonly now: () => number;
  /** The form of new SAMP ids. */
  readonly profile: 'v1' | 'v1-compact';
}

/** The formats that have threads. */
export type ThreadFormat = 'atsf' | 'samp' | 'amp';

/** Names a document. */
export interface Key {
  readonly kind: ThreadFormat | 'task' | 'escalation';
  /** The folder in which it was found. */
  readonly folder: string;
  readonly id: string;
}

export interface ThreadRow {
  readonly key: Key;
  readonly title: string;
  /** More facts, as short phrases. */
  readonly facts: readonly string[];
  /** When it was last written to, in Unix milliseconds; 0 if unknown. */
  readonly time: number;
  /** What is wrong with it, or empty. */
  readonly fault: string;
}

/** The threads of one folder, the newest first. */
export interface Group {
  readonly format: ThreadFormat;
  readonly folder: string;
  /** The folder's name for people. */
  readonly title: string;
  readonly threads: readonly ThreadRow[];
  /** What was left out, and why. */
  readonly notes: readonly string[];
}

/** The severities, most severe first. */
export const severities: readonly EscalationSeverity[] = ['critical', 'warning', 'info'];

/** An open escalation, or something that is overdue. */
export interface AlarmRow {
  readonly key: Key;
  /** Set for an escalation that breaks a rule. Its task may not exist. */
  readonly malformed?: true;
  readonly severity: EscalationSeverity;
  readonly title: string;
  readonly taskId: string;
  readonly facts: readonly string[];
  /** When it was escalated, or became overdue, in Unix milliseconds. */
  readonly time: number;
  /** The file of the message, or empty. */
  readonly file: string;
}

export interface TaskRow {
  readonly key: Key;
  readonly title: string;
  readonly facts: readonly string[];
  readonly time: number;
}

/** A message that breaks a rule and counts for nothing. */
export interface RejectedRow {
  readonly key: Key | undefined;
  readonly title: string;
  readonly rule: string;
  readonly reason: string;
  readonly file: string;
}

export interface Tasks {
  readonly folders: readonly string[];
  /** By severity, then the oldest first. */
  readonly open: readonly AlarmRow[];
  readonly overdue: readonly AlarmRow[];
  readonly rejected: readonly RejectedRow[];
  /** The newest first. */
  readonly tasks: readonly TaskRow[];
  readonly notes: readonly string[];
}

/** What a token in a text leads to. */
export interface Target {
  readonly key: Key;
  /** The id of the message that the token names, or empty for a thread or task. */
  readonly message: string;
}

/** Returns the group of a folder that could not be read, with the reason. */
export function failedGroup(desk: Desk, format: ThreadFormat, folder: string, error: unknown): Group {
  return { format, folder, title: desk.files.label(folder), threads: [], notes: [reasonOf(error)] };
}

export function countWords(l10n: L10n, count: number): string {
  return count === 1 ? l10n.t('1 message') : l10n.t('{0} messages', count);
}

/** Returns a line of Markdown about messages that a document leaves out; empty if there are none. */
export function earlierWords(l10n: L10n, before: number): string {
  return before > 0 ? `_${l10n.t('{0} earlier messages are not shown in a browser.', before)}_` : '';
}

/** The groups and tokens of one format. */
export interface Part {
  readonly groups: readonly Group[];
  readonly tokens: readonly (readonly [token: string, target: Target])[];
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Orders rows by time, newest first, then by title. */
export function newestFirst(
  a: { readonly time: number; readonly title: string },
  b: { readonly time: number; readonly title: string },
): number {
  return b.time - a.time || (a.title < b.title ? -1 : 1);
}

/** Orders alarms by severity, then oldest first. */
export function gravestFirst(a: AlarmRow, b: AlarmRow): number {
  return severities.indexOf(a.severity) - severities.indexOf(b.severity) || a.time - b.time;
}
