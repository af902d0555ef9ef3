// Where the sample mail is, and the settings with which a server reads only it.

import { join } from 'node:path';
import type { Settings } from '../protocol';

/** The user of the sample, as "signalbox demo" writes it. */
const reader = 'dev';

/** What a server is started with in place of the user's own settings. */
export interface SamplePlace {
  /** The message directory; everything else of the sample is below it. */
  readonly mail: string;
  /** The folder that the server gets as its workspace. */
  readonly project: string;
  /** Keeps read state, keys and configuration apart from the user's own. */
  readonly env: Readonly<Record<string, string>>;
  /** These override every variable and default that would lead to the user's own mail. */
  readonly settings: Required<
    Pick<
      Settings,
      'alias' | 'directories' | 'ssot' | 'ampDirectory' | 'ampIdentity' | 'sessions' | 'watchdog'
    >
  >;
}

/** Returns the sample in a folder, which must contain nothing else. */
export function samplePlace(folder: string): SamplePlace {
  const mail = join(folder, 'mail');
  const project = join(mail, 'project');
  return {
    mail,
    project,
    env: { SIGNALBOX_STATE_DIR: join(folder, 'state'), SIGNALBOX_CONFIG_DIR: join(folder, 'config') },
    settings: {
      alias: reader,
      directories: [mail],
      ssot: join(project, '.ssot'),
      ampDirectory: join(mail, 'mail'),
      ampIdentity: reader,
      sessions: false,
      watchdog: false,
    },
  };
}
