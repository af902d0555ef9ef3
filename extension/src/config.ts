// The extension's settings, read in one place.

import * as vscode from 'vscode';
import type { ServerSettings } from './protocol';

/** A snapshot of the settings the extension itself acts on. */
export interface Config {
  readonly serverPath: string;
  readonly badge: string;
  readonly updateWatermark: boolean;
  readonly notifications: string;
}

function section(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration('signalbox', vscode.workspace.workspaceFolders?.[0] ?? null);
}

export function readConfig(): Config {
  const settings = section();
  return {
    serverPath: settings.get('server.path', ''),
    badge: settings.get('badge', 'needsReply'),
    updateWatermark: settings.get('read.updateWatermark', false),
    notifications: settings.get('notifications', 'critical'),
  };
}

/**
 * What the server is told. In a workspace that is not trusted VS Code already
 * leaves out the workspace's alias, directories, mailboxes, SSOT, watchdog and
 * server path (restrictedConfigurations); the server is told to write nothing
 * besides.
 */
export function serverSettings(): ServerSettings {
  const settings = section();
  const alias = settings.get('alias', '').trim();
  const directories = settings.get<string[]>('directories', []).filter((path) => path.trim() !== '');
  const ssot = settings.get('ssot', '').trim();
  const ampDirectory = settings.get('amp.directory', '').trim();
  const ampIdentity = settings.get('amp.identity', '').trim();
  return {
    ...(alias === '' ? {} : { alias }),
    ...(directories.length === 0 ? {} : { directories }),
    profile: settings.get<'auto' | 'v1' | 'v1-compact'>('samp.profile', 'auto'),
    readOnly: !vscode.workspace.isTrusted,
    updateWatermark: settings.get('read.updateWatermark', false),
    hoverMaxMessages: settings.get('hover.maxMessages', 5),
    ...(ssot === '' ? {} : { ssot }),
    watchdog: settings.get('watchdog', false),
    diagnostics: settings.get('diagnostics', true),
    ...(ampDirectory === '' ? {} : { ampDirectory }),
    ...(ampIdentity === '' ? {} : { ampIdentity }),
  };
}

/** Turns critical notifications off for the user, everywhere. */
export async function silenceNotifications(): Promise<void> {
  await section().update('notifications', 'off', vscode.ConfigurationTarget.Global);
}
