// Limits for reading a workspace. It may be hostile or far away, and a browser has
// one gigabyte for everything. Sizes are in bytes.

export const limits = {
  /** Files of one glob, as the editor's own search gives them. */
  files: 5_000,
  /** Threads of one folder that are listed. */
  threads: 1_000,
  /** A thread.json, config.json, key or registration. The desktop's limits are these. */
  thread: 1 << 20,
  small: 64 << 10,
  /** An envelope of AMP/1.0, and a stored message of amp/0.1, as the desktop reads them. */
  envelope: 1 << 20,
  mail: (512 + 32) << 10,
  /** All envelopes of a directory of tasks, and all messages of mailboxes with one root. */
  store: 32 << 20,
  /** A messages.jsonl that is opened, and one whose ids are known to hovers. */
  log: 16 << 20,
  ids: 4 << 20,
  /** All logs of agents together whose ids are known to hovers. */
  allIds: 32 << 20,
  /** The logs of one directory of SAMP. */
  samp: 8 << 20,
  /** Correspondents in one directory of SAMP whose mail is read. */
  parties: 64,
  /** A document in an editor that is checked. */
  checked: 4 << 20,
  /** Messages that a document shows, the newest. */
  shown: 200,
  /** One message's text in a document. */
  body: 64 << 10,
  /** What a tool was given or gave. */
  tool: 4 << 10,
  /** A hover: the texts of messages in it together, and one name, title or id. */
  hover: 4 << 10,
  name: 200,
  /** Tokens that a hover finds. */
  tokens: 200_000,
  /** Problems that are shown of one document. */
  problems: 500,
} as const;
