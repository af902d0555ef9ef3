// Sample mail keeps to its own folder.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { samplePlace } from '../../src/server/samplePlace';

describe('sample mail', () => {
  const folder = join('/storage', 'sample');
  const { mail, project, env, settings } = samplePlace(folder);
  const inside = (path: string): boolean => path.startsWith(join(folder, 'x').slice(0, -1));

  it('reads and writes nothing outside of its folder', () => {
    const { directories, ssot, ampDirectory } = settings;
    const paths = [mail, project, ...directories, ssot, ampDirectory, ...Object.values(env)];
    assert.equal(paths.length, 7);
    for (const path of paths) assert.ok(inside(path), path);
  });

  it('says everything that a variable or a default would say otherwise', () =>
    assert.deepEqual(Object.keys(settings).sort(), [
      'alias',
      'ampDirectory',
      'ampIdentity',
      'directories',
      'sessions',
      'ssot',
      'watchdog',
    ]));

  it('keeps state and configuration apart, and records no sessions', () => {
    assert.deepEqual(Object.keys(env), ['SIGNALBOX_STATE_DIR', 'SIGNALBOX_CONFIG_DIR']);
    assert.deepEqual([settings.sessions, settings.watchdog], [false, false]);
  });
});
