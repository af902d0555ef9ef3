// The text of a compose document: header lines such as `To:` and `Thread:`, a
// blank line, the body. Parsing keeps the place of every part, so that a
// warning of the server about a field lands on that field.

import { randomUUID } from 'node:crypto';
import type { Draft, Ref } from '../protocol';

/** A part of one line, in UTF-16 code units. */
export interface Place {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

export interface Problem {
  readonly place: Place;
  readonly kind:
    | 'unknownHeader'
    | 'noColon'
    | 'repeated'
    | 'noBody'
    /** A header of signed mail, and the mail is not. */
    | 'signedOnly'
    /** A thread is named, and signed mail has none to name. */
    | 'noThread'
    /** A relative path, and no folder is open. */
    | 'noFolder'
    /** A file that cannot be read. */
    | 'noFile';
  readonly text: string;
}

/** What a header line says, and where. */
export interface Value {
  readonly value: string;
  readonly place: Place;
}

const names = {
  to: 'To',
  thread: 'Thread',
  subject: 'Subject',
  priority: 'Priority',
  type: 'Type',
  attach: 'Attach',
  context: 'Context',
} as const;

/** A header, by its name in small letters. */
export type Field = keyof typeof names;

const fields = ['to', 'thread', 'subject', 'priority', 'type', 'attach', 'context'] as const;

/** The headers that only signed mail (amp/0.1) has. */
const signedFields: readonly Field[] = fields.slice(2);

/** The header names a compose document may hold. */
export const headerNames: readonly string[] = fields.map((field) => names[field]);

/** A parsed compose document. Fields not written are empty, with the place where they belong. */
export interface DraftText {
  readonly to: string;
  readonly thread: string;
  readonly subject: string;
  readonly priority: string;
  readonly type: string;
  readonly context: string;
  /** Paths as they were written; lines without one are left out. */
  readonly attach: readonly Value[];
  readonly body: string;
  readonly places: Readonly<Record<Field | 'body', Place>>;
  /** The headers that stand in the text, with the place of their names, in its order. */
  readonly headers: readonly { readonly field: Field; readonly place: Place }[];
  /** The line the body begins on; the header's lines are those before it. */
  readonly bodyLine: number;
  readonly problems: readonly Problem[];
}

/** Whether a draft becomes signed mail: it answers some, or, where it answers nothing, goes to an address. */
export function isSigned(to: string, replyTo: Ref | undefined): boolean {
  return replyTo === undefined ? to.includes('@') : replyTo.protocol === 'amp';
}

/** Writes a draft as the text of a compose document. */
export function formatDraft(draft: Draft): string {
  const lines = isSigned(draft.to, draft.replyTo)
    ? [
        ['To', draft.to],
        ['Subject', draft.subject ?? ''],
        ['Priority', draft.priority === undefined || draft.priority === '' ? 'normal' : draft.priority],
        ...(draft.type === undefined || draft.type === '' ? [] : [['Type', draft.type]]),
        ...(draft.context === undefined || draft.context === '' ? [] : [['Context', draft.context]]),
        ...(draft.attachments ?? []).map((path) => ['Attach', path]),
      ]
    : [
        ['To', draft.to],
        ['Thread', draft.thread ?? ''],
      ];
  return `${lines.map(([name = '', value = '']) => `${name}: ${oneLine(value)}`).join('\n')}\n\n${draft.body}`;
}

/**
 * A value that stays on its line. A stranger's subject must not become a
 * header of its own, such as one that attaches a file of yours.
 */
function oneLine(value: string): string {
  // eslint-disable-next-line no-control-regex -- naming control characters is the point
  return value.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ');
}

interface Found {
  readonly values: Map<Field, Value>;
  readonly attach: Value[];
  readonly headers: { field: Field; place: Place }[];
  readonly problems: Problem[];
}

/** Reads a compose document. Never fails: what cannot be read is a problem with a place. */
export function parseDraft(text: string): DraftText {
  const lines = text.split(/\r\n|\n/);
  const found: Found = { values: new Map(), attach: [], headers: [], problems: [] };
  let line = 0;
  for (; line < lines.length; line++) {
    const content = lines[line] ?? '';
    if (content.trim() === '') break;
    readHeader(content, line, found);
  }
  const bodyLine = Math.min(line + 1, lines.length);
  const rest = lines.slice(bodyLine).join('\n');
  // A last newline is how editors end a file, not part of what was said.
  const body = rest.replace(/\n+$/, '');
  const firstBody = lines[bodyLine] ?? '';
  if (line >= lines.length)
    found.problems.push({ place: whole(lines, lines.length - 1), kind: 'noBody', text: '' });
  const top: Place = { line: 0, start: 0, end: (lines[0] ?? '').length };
  const valueOf = (field: Field): string => found.values.get(field)?.value ?? '';
  const placeOf = (field: Field): Place => found.values.get(field)?.place ?? top;
  return {
    to: valueOf('to'),
    thread: valueOf('thread'),
    subject: valueOf('subject'),
    priority: valueOf('priority'),
    type: valueOf('type'),
    context: valueOf('context'),
    attach: found.attach,
    body,
    places: {
      to: placeOf('to'),
      thread: placeOf('thread'),
      subject: placeOf('subject'),
      priority: placeOf('priority'),
      type: placeOf('type'),
      context: placeOf('context'),
      attach: found.attach[0]?.place ?? top,
      body: { line: Math.min(bodyLine, lines.length - 1), start: 0, end: firstBody.length },
    },
    headers: found.headers,
    bodyLine,
    problems: found.problems,
  };
}

function readHeader(content: string, line: number, found: Found): void {
  const place = { line, start: 0, end: content.length };
  const colon = content.indexOf(':');
  if (colon < 0) {
    found.problems.push({ place, kind: 'noColon', text: content });
    return;
  }
  const name = content.slice(0, colon).trim();
  const known = fields.find((field) => field === name.toLowerCase());
  if (known === undefined) {
    found.problems.push({ place: { ...place, end: colon }, kind: 'unknownHeader', text: name });
    return;
  }
  const after = content.slice(colon + 1);
  const start = colon + 1 + (after.length - after.trimStart().length);
  const value = {
    value: after.trim(),
    place: { line, start, end: Math.max(start, content.trimEnd().length) },
  };
  if (known !== 'attach' && found.values.has(known)) {
    found.problems.push({ place, kind: 'repeated', text: names[known] });
    return;
  }
  found.headers.push({ field: known, place: { line, start: 0, end: colon } });
  if (known !== 'attach') found.values.set(known, value);
  else if (value.value !== '') found.attach.push(value);
}

function whole(lines: readonly string[], line: number): Place {
  return { line, start: 0, end: (lines[line] ?? '').length };
}

/** What is wrong with the headers together: some are for signed mail alone, one for all other mail. */
export function headerProblems(text: DraftText, signed: boolean): readonly Problem[] {
  if (signed) {
    const place = text.places.thread;
    return text.thread === '' ? [] : [{ place, kind: 'noThread', text: text.thread }];
  }
  // As long as nobody is named, it may become signed mail.
  if (text.to === '') return [];
  return text.headers
    .filter(({ field }) => signedFields.includes(field))
    .map(({ field, place }) => ({ place, kind: 'signedOnly', text: names[field] }));
}

/** What of a draft does not stand in its text as it is sent. */
export interface Looked {
  /** Absolute paths. */
  readonly attachments: readonly string[];
  readonly context: string;
}

const nothingLooked: Looked = { attachments: [], context: '' };

/** The draft a compose document stands for, with what it answers, if it answers anything. */
export function toDraft(text: DraftText, replyTo: Ref | undefined, looked: Looked = nothingLooked): Draft {
  const { to, body } = text;
  const reply = replyTo === undefined ? {} : { replyTo };
  if (!isSigned(to, replyTo)) return { to, body, ...written({ thread: text.thread }), ...reply };
  const { subject, priority, type } = text;
  const { attachments, context } = looked;
  return {
    to,
    body,
    ...reply,
    ...written({ subject, priority, type, context }),
    ...(attachments.length === 0 ? {} : { attachments }),
  };
}

/** The fields that are not empty. */
function written<K extends string>(all: Readonly<Record<K, string>>): Partial<Record<K, string>> {
  const some: Partial<Record<K, string>> = {};
  for (const key in all) if (all[key] !== '') some[key] = all[key];
  return some;
}

/** What was last tried to be sent, kept so that a retry is recognised as one. */
export interface Attempt {
  readonly token: string;
  readonly draft: string;
  /** Of signed mail: a retry sends what the first try showed. */
  readonly stamp?: string;
}

/**
 * The client token to send a draft with. The same draft keeps its token, so a
 * send whose answer was lost is not written twice; a changed draft gets a new
 * one, so that the server does not answer it with the older message.
 */
export function attemptFor(draft: Draft, last: Attempt | undefined, newToken = randomUUID): Attempt {
  const { to, thread = '', body, replyTo = null } = draft;
  const { subject, priority, type, context, attachments } = draft;
  // What a stamp is made of is what stands here.
  const key = JSON.stringify([to, thread, body, replyTo, { subject, priority, type, context, attachments }]);
  return attemptWith(key, last, newToken);
}

/** The same for anything that is sent: equal keys stand for the same thing to send. */
export function attemptWith(key: string, last: Attempt | undefined, newToken = randomUUID): Attempt {
  return last?.draft === key ? last : { token: newToken(), draft: key };
}
