// The extension's settings, read in one place.

import * as vscode from 'vscode';
import type { ProfileSetting, Settings } from './protocol';
import { SettingReader, type SettingProblem } from './settings';

/** The settings that the extension itself uses. */
export interface Config {
  readonly serverPath: string;
  readonly badge: 'needsYou' | 'unread' | 'off';
  readonly updateWatermark: boolean;
  readonly notifications: 'critical' | 'off';
}

function section(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration('signalbox', vscode.workspace.workspaceFolders?.[0] ?? null);
}

function reader(): SettingReader {
  const settings = section();
  return new SettingReader((name) => settings.get<unknown>(name));
}

/** Returns the form of new messages' ids. The setting was once called `samp.profile`. */
export function idForm(settings = reader()): ProfileSetting {
  const forms = ['auto', 'v1', 'v1-compact'] as const;
  const form = settings.choice('mail.idForm', forms);
  return form === 'auto' ? settings.choice('samp.profile', forms) : form;
}

export function readConfig(settings = reader()): Config {
  // The first version called 'needsYou' 'needsReply'.
  const badge = settings.choice('badge', ['needsYou', 'unread', 'off', 'needsReply']);
  return {
    serverPath: settings.text('server.path'),
    badge: badge === 'needsReply' ? 'needsYou' : badge,
    updateWatermark: settings.flag('read.updateWatermark'),
    notifications: settings.choice('notifications', ['critical', 'off']),
  };
}

/**
 * Returns the server's settings. In an untrusted workspace VS Code already leaves
 * out the workspace's alias, directories, mailboxes, task directory, sessions,
 * watchdog and server path (restrictedConfigurations), and the server becomes
 * read-only.
 */
export function serverSettings(settings = reader()): Settings {
  const alias = settings.text('alias');
  const directories = settings.texts('directories');
  // The setting was once called `ssot`.
  const ssot = settings.text('tasks.directory') || settings.text('ssot');
  const ampDirectory = settings.text('amp.directory');
  const ampIdentity = settings.text('amp.identity');
  return {
    ...(alias === '' ? {} : { alias }),
    ...(directories.length === 0 ? {} : { directories }),
    profile: idForm(settings),
    readOnly: !vscode.workspace.isTrusted,
    updateWatermark: settings.flag('read.updateWatermark'),
    hoverMaxMessages: settings.count('hover.maxMessages', 5, 1, 5),
    ...(ssot === '' ? {} : { ssot }),
    watchdog: settings.flag('watchdog'),
    sessions: settings.flag('sessions', true),
    diagnostics: settings.flag('diagnostics', true),
    ...(ampDirectory === '' ? {} : { ampDirectory }),
    ...(ampIdentity === '' ? {} : { ampIdentity }),
  };
}

/** Returns the settings that have a wrong value, each once. Their defaults are used. */
export function settingProblems(): readonly SettingProblem[] {
  const settings = reader();
  readConfig(settings);
  serverSettings(settings);
  return settings.problems.filter(
    (problem, at) => settings.problems.findIndex(({ name }) => name === problem.name) === at,
  );
}

/** Writes a setting for all workspaces, or only for this one. */
export async function writeSetting(name: string, value: unknown, here: boolean): Promise<void> {
  const target = here ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await section().update(name, value, target);
}

/** Removes the alias from the settings, so that the name written by Set Up counts. */
export async function clearAlias(): Promise<void> {
  const settings = section();
  const { globalValue, workspaceValue, workspaceFolderValue } = settings.inspect<unknown>('alias') ?? {};
  const { Global, Workspace, WorkspaceFolder } = vscode.ConfigurationTarget;
  for (const [value, target] of [
    [globalValue, Global],
    [workspaceValue, Workspace],
    [workspaceFolderValue, WorkspaceFolder],
  ] as const) {
    if (value !== undefined) await settings.update('alias', undefined, target);
  }
}

/** Turns notifications off in all workspaces. */
export async function silenceNotifications(): Promise<void> {
  await writeSetting('notifications', 'off', false);
}
