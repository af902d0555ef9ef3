import assert from 'node:assert/strict';
import { delimiter } from 'node:path';
import { describe, it } from 'node:test';
import { resolveServer, type Machine } from '../../src/server/path';

function machine(files: readonly string[], path: readonly string[] = []): Machine {
  return { platform: 'linux', path: path.join(delimiter), isExecutable: (file) => files.includes(file) };
}

describe('resolveServer', () => {
  it('takes the setting before all else', () => {
    const found = resolveServer('/opt/sb', '/ext', machine(['/opt/sb', '/ext/bin/signalbox']));
    assert.deepEqual(found, { found: true, command: '/opt/sb', origin: 'setting' });
  });

  it('does not pass over a setting that names nothing', () => {
    const found = resolveServer('/opt/sb', '/ext', machine(['/ext/bin/signalbox']));
    assert.deepEqual(found, { found: false, looked: ['/opt/sb'], problem: 'setting' });
  });

  it('refuses a relative setting', () => {
    const found = resolveServer('./sb', '/ext', machine(['./sb']));
    assert.deepEqual(found, { found: false, looked: ['./sb'], problem: 'relative' });
  });

  it('takes the bundled one before the PATH', () => {
    const found = resolveServer(
      ' ',
      '/ext',
      machine(['/ext/bin/signalbox', '/usr/bin/signalbox'], ['/usr/bin']),
    );
    assert.deepEqual(found, { found: true, command: '/ext/bin/signalbox', origin: 'bundled' });
  });

  it('takes the first on the PATH and no relative entry of it', () => {
    const files = ['./signalbox', 'signalbox', '/b/signalbox', '/c/signalbox'];
    const found = resolveServer('', '/ext', machine(files, ['.', '', '/a', '/b', '/c']));
    assert.deepEqual(found, { found: true, command: '/b/signalbox', origin: 'PATH' });
  });

  it('says where it looked', () => {
    const found = resolveServer('', '/ext', machine([], ['/a']));
    assert.deepEqual(found, {
      found: false,
      looked: ['/ext/bin/signalbox', '/a/signalbox'],
      problem: 'nowhere',
    });
  });

  it('looks for an .exe on Windows', () => {
    const found = resolveServer('', '/ext', { ...machine(['/ext/bin/signalbox.exe']), platform: 'win32' });
    assert.ok(found.found);
  });
});
