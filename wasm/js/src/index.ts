// Signalbox's protocol core in Node and in browsers. Start with load; README.md
// shows ten lines.
export { abi, codes, limits, ops } from './abi.js';
export type { Code, OpName } from './abi.js';
export type { Atsf, Fork, StoredAsset, TakenInline } from './atsf.js';
export type { Agn, Amp, Render, Samp } from './calls.js';
export { compile } from './compile.js';
export type { Source } from './compile.js';
export { load } from './core.js';
export type { Core, Options, Stats } from './core.js';
export { SignalboxError } from './error.js';
export { RawJson } from './json.js';
export type { Bytes, Json, Mode, NewJson } from './json.js';
export type { Mailbox } from './mail.js';
export { Remote, serve } from './remote.js';
export type { Port, RemoteOptions, RemoteWorker } from './remote.js';
export type * from './types.js';
