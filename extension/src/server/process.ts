// The server's process on this machine: where its program is, and one run of it. In a browser
// src/browser/process.ts replaces this file.

import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type * as vscode from 'vscode';
import type { LanguageClientOptions, StreamInfo } from 'vscode-languageclient/node';
import type { SamplePlace } from './samplePlace';
import { resolveServer, type ServerLocation } from './path';

export { LanguageClient as Client } from 'vscode-languageclient/node';

/** How a server process ended. `stderr` is the end of its output. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
}

export interface ServerProcess {
  /** Settles when the process has ended. */
  readonly exited: Promise<Exit>;
  readonly transport: () => Promise<StreamInfo>;
  /** The client's options for this place. */
  readonly options: LanguageClientOptions;
  readonly kill: () => void;
  /** Ends the server's input. */
  readonly end: () => void;
}

const stderrKept = 2_000;

/** Returns where the program is. */
export function findServer(setting: string, extensionFolder: string): ServerLocation {
  return resolveServer(setting, extensionFolder, {
    platform: process.platform,
    path: process.env['PATH'] ?? '',
    isExecutable: (file) => {
      try {
        accessSync(file, constants.X_OK);
        return statSync(file).isFile();
      } catch {
        return false;
      }
    },
  });
}

/** Returns the address of a folder of this machine. */
export function folderUri(path: string): string {
  return pathToFileURL(path).toString();
}

/** Starts the program. With sample mail it has an environment of its own. */
export function startProcess(
  command: string,
  log: vscode.LogOutputChannel,
  sample: SamplePlace | undefined,
): ServerProcess {
  const env = { ...process.env, ...sample?.env };
  const child = spawn(command, ['lsp', '--stdio'], { stdio: 'pipe', windowsHide: true, env });
  let stderr = '';
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (chunk: string) => {
    stderr = (stderr + chunk).slice(-stderrKept);
    log.info(`server: ${chunk.trimEnd()}`);
  });
  // Writing to a server that has just ended fails here. Its exit says why.
  child.stdin.on('error', (error) => log.debug(`server: stdin: ${error.message}`));
  const exited = new Promise<Exit>((done) => {
    child.on('error', (error) => done({ code: null, signal: null, stderr: error.message }));
    child.on('close', (code, signal) => done({ code, signal, stderr: stderr.trim() }));
  });
  return {
    exited,
    transport: () => Promise.resolve({ reader: child.stdout, writer: child.stdin }),
    options: {},
    kill: () => child.kill('SIGKILL'),
    end: () => child.stdin.end(),
  };
}
