// Finds the server binary: the setting, then the bundled one, then the PATH. It is
// never downloaded.

import { delimiter, isAbsolute, join } from 'node:path';

/** What resolveServer needs to know about the machine. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly path: string;
  /** Reports whether this is a regular file that may be run. */
  isExecutable(file: string): boolean;
}

export type ServerLocation =
  | { readonly found: true; readonly command: string; readonly origin: 'setting' | 'bundled' | 'PATH' }
  | { readonly found: false; readonly looked: readonly string[]; readonly problem: ServerProblem };

/** Why no server was found: the setting is relative or names no program, or there is none anywhere. */
export type ServerProblem = 'relative' | 'setting' | 'nowhere';

/**
 * Finds the server binary. A setting that does not work is an error and is never
 * replaced by another binary: the user would not know which server runs.
 */
export function resolveServer(setting: string, extensionFolder: string, machine: Machine): ServerLocation {
  const chosen = setting.trim();
  if (chosen !== '') {
    if (!isAbsolute(chosen)) return { found: false, looked: [chosen], problem: 'relative' };
    if (machine.isExecutable(chosen)) return { found: true, command: chosen, origin: 'setting' };
    return { found: false, looked: [chosen], problem: 'setting' };
  }
  const name = machine.platform === 'win32' ? 'signalbox.exe' : 'signalbox';
  const bundled = join(extensionFolder, 'bin', name);
  if (machine.isExecutable(bundled)) return { found: true, command: bundled, origin: 'bundled' };
  const looked = [bundled];
  for (const folder of machine.path.split(delimiter)) {
    // With a relative entry, the opened folder could choose the program.
    if (!isAbsolute(folder)) continue;
    const candidate = join(folder, name);
    if (machine.isExecutable(candidate)) return { found: true, command: candidate, origin: 'PATH' };
    looked.push(candidate);
  }
  return { found: false, looked, problem: 'nowhere' };
}
