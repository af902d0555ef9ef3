// Asks until when to snooze threads.

import * as vscode from 'vscode';
import { exampleTime, readTime, snoozeTimes, type TimeFault } from './snoozeTimes';

interface TimePick extends vscode.QuickPickItem {
  /** Missing if the user wants to type a time. */
  readonly time?: number;
}

/** Returns the time in Unix milliseconds, or undefined if the user cancelled. */
export async function askSnoozeTime(count: number): Promise<number | undefined> {
  const now = Date.now();
  const labels = {
    later: vscode.l10n.t('Later today'),
    tomorrow: vscode.l10n.t('Tomorrow'),
    nextWeek: vscode.l10n.t('Next week'),
  };
  const picks: TimePick[] = snoozeTimes(now).map(({ kind, time }) => ({
    label: labels[kind],
    description: whenWords(time),
    time,
  }));
  picks.push({ label: vscode.l10n.t('Pick a date…') });
  const title =
    count === 1 ? vscode.l10n.t('Snooze until') : vscode.l10n.t('Snooze {0} threads until', count);
  const chosen = await vscode.window.showQuickPick(picks, {
    title,
    placeHolder: vscode.l10n.t('New mail brings a thread back before that'),
  });
  if (chosen === undefined) return undefined;
  return chosen.time ?? askDate(title);
}

function whenWords(time: number): string {
  return new Intl.DateTimeFormat(vscode.env.language, {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  }).format(new Date(time));
}

async function askDate(title: string): Promise<number | undefined> {
  const example = exampleTime(Date.now());
  const text = await vscode.window.showInputBox({
    title,
    value: example,
    valueSelection: [0, example.length],
    prompt: vscode.l10n.t('A date, and an hour if you like: {0}', example),
    validateInput: (typed) => {
      const read = readTime(typed, Date.now());
      return typeof read === 'number' ? undefined : faultWords(read, example);
    },
  });
  const read = text === undefined ? undefined : readTime(text, Date.now());
  return typeof read === 'number' ? read : undefined;
}

function faultWords(fault: TimeFault, example: string): string {
  return {
    form: vscode.l10n.t('Write it like {0}', example),
    past: vscode.l10n.t('That time is in the past'),
    far: vscode.l10n.t('At most ten years ahead'),
  }[fault];
}
