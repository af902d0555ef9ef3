// Runs the server's program as a command: VS Code's Set Up does the same as
// "signalbox setup" in a terminal.

import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { Server } from '../server/client';
import type { Facts, Plan, State } from './facts';

/** Codex may take 20 seconds to list its hooks. */
const longestMillis = 60_000;
const largestOutput = 64 << 20;

/** What a command wrote. `failed` is set if it ended with another status than 0. */
interface Output {
  readonly stdout: string;
  readonly stderr: string;
  readonly failed: boolean;
}

export interface Written {
  readonly remarks: string;
  readonly failed: boolean;
}

/** Returns the folder whose agents are set up, or undefined if none is open. */
export function openFolder(): vscode.WorkspaceFolder | undefined {
  return vscode.workspace.workspaceFolders?.[0];
}

/** Where a command runs: in which folder, and with which variables besides its own. */
interface Where {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

function run(program: string, args: readonly string[]): Promise<Output> {
  return runProgram(program, ['setup', ...args], { cwd: openFolder()?.uri.fsPath ?? homedir() });
}

/** Runs the server's program as a command, to its end. */
export function runProgram(program: string, args: readonly string[], { cwd, env }: Where): Promise<Output> {
  const limits = { timeout: longestMillis, maxBuffer: largestOutput, windowsHide: true };
  return new Promise((done, fail) => {
    const child = execFile(
      program,
      args,
      { cwd, env: { ...process.env, ...env }, ...limits },
      (error, stdout, stderr) => {
        // Without a status it did not run to its end.
        if (error !== null && typeof error.code !== 'number') fail(new Error(error.message));
        else done({ stdout, stderr: stderr.trim(), failed: error !== null });
      },
    );
    child.stdin?.end();
  });
}

/** Returns the plans that the program wrote, one a line. */
function plansIn(stdout: string): readonly Plan[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Plan);
}

export class SetupProgram {
  readonly #server: Server;

  constructor(server: Server) {
    this.#server = server;
  }

  /** Returns what can be set up here, and makes the copy of the program that clients start. */
  async facts(): Promise<Facts> {
    await this.#server.ensure();
    const { stdout, stderr, failed } = await run(this.#server.program, ['--editor', '--json']);
    if (failed) throw new Error(stderr);
    return JSON.parse(stdout) as Facts;
  }

  /** Returns the planned changes, with the files that are left alone. */
  async plans(facts: Facts, clients: readonly string[]): Promise<readonly Plan[]> {
    if (clients.length === 0) return [];
    const { stdout, stderr } = await run(facts.program, ['--dry-run', '--json', ...clients]);
    const plans = plansIn(stdout);
    if (plans.length < clients.length) throw new Error(stderr);
    return plans;
  }

  /** Writes the changes, and returns the program's remarks. `failed` is set if a file was left alone. */
  async write(facts: Facts, clients: readonly string[], person: string): Promise<Written> {
    const what = clients.length === 0 ? ['--only-person'] : clients;
    const { stderr, failed } = await run(facts.program, ['--yes', '--json', '--person', person, ...what]);
    return { remarks: stderr, failed };
  }

  /** Returns the changes that undoing would make, for the programs that are known. */
  async undoPlans(): Promise<readonly Plan[]> {
    await this.#server.ensure();
    const { stdout, stderr } = await run(this.#server.program, ['--remove', '--dry-run', '--json']);
    if (stdout === '' && stderr !== '') throw new Error(stderr);
    return plansIn(stdout);
  }

  /** Undoes the changes, and returns the program's remarks. `failed` is set if a file was left alone. */
  async undo(): Promise<Written> {
    const { stderr, failed } = await run(this.#server.program, ['--remove', '--yes', '--json']);
    return { remarks: stderr, failed };
  }

  /** Returns how far each known program is set up. The command fails if one is not, which is not an error. */
  async check(): Promise<readonly State[]> {
    const { stdout, stderr } = await run(this.#server.program, ['--check', '--json']);
    const lines = stdout.split('\n').filter((line) => line !== '');
    if (lines.length === 0 && stderr !== '') throw new Error(stderr);
    return lines.map((line) => JSON.parse(line) as State);
  }

  /** Brings the copy up to date, if there is one: an update of the extension brings a new program. */
  async updateCopy(): Promise<void> {
    const { stderr, failed } = await run(this.#server.program, ['--renew-copy']);
    if (failed) throw new Error(stderr);
  }
}
