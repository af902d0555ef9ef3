// Loads the core. The module and the worker's program are files of the extension
// and are read like all files: a worker cannot be loaded from a remote machine's
// address, but it can be made from the bytes.

import * as vscode from 'vscode';
import { compile, load, Remote } from '@signalbox/core';
import { localCalls, remoteCalls, type Calls } from './calls';

export interface RunningCore extends vscode.Disposable {
  readonly calls: Calls;
  readonly place: 'worker' | 'host';
}

/** Loads the core from the extension's folder, into a worker if the host can make one. */
export async function openCore(extension: vscode.Uri, log: vscode.LogOutputChannel): Promise<RunningCore> {
  const read = async (name: string): Promise<Uint8Array<ArrayBuffer>> =>
    new Uint8Array(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extension, 'dist', 'web', name)));
  const module = await compile(await read('signalbox.wasm'));
  try {
    return await inWorker(module, await read('worker.js'));
  } catch (error) {
    log.warn(`no worker for the core, which runs in the extension host: ${String(error)}`);
    const core = await load(module);
    const pause = (): Promise<void> => new Promise((done) => setTimeout(done));
    return {
      calls: localCalls(core, pause),
      place: 'host',
      dispose: () => core.close(),
    };
  }
}

async function inWorker(module: WebAssembly.Module, program: Uint8Array<ArrayBuffer>): Promise<RunningCore> {
  const url = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }));
  const remote = new Remote(() => new Worker(url, { name: 'signalbox' }), module);
  const dispose = (): void => {
    remote.close();
    URL.revokeObjectURL(url);
  };
  try {
    await remote.call('info'); // fails if the worker cannot start
    return { calls: remoteCalls(remote), place: 'worker', dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}
