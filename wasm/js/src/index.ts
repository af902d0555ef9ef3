// Signalbox's protocol core in Node and in browsers. Start with load; README.md
// shows ten lines.
export { abi, codes, limits, ops } from './abi.js';
export type { Code, OpName } from './abi.js';
export type { Agn } from './agn.js';
export type * from './agnTypes.js';
export type { Amp } from './amp.js';
export type * from './ampTypes.js';
export type { Atsf } from './atsf.js';
export type * from './atsfTypes.js';
export { compile } from './compile.js';
export type { Source } from './compile.js';
export { load } from './core.js';
export type { Core, Options, Stats } from './core.js';
export { SignalboxError } from './error.js';
export type * from './fault.js';
export { RawJson } from './json.js';
export type { Bytes, Json, NewJson } from './json.js';
export type { Mailbox } from './mail.js';
export type * from './mailTypes.js';
export { Remote, serve } from './remote.js';
export type { Port, RemoteOptions, RemoteWorker } from './remote.js';
export type { Render } from './render.js';
export type { Samp } from './samp.js';
export type * from './sampTypes.js';
export type { Shapes } from './shapes.js';
