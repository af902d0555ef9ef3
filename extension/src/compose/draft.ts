// The text of a compose document: header lines such as `To:` and `Thread:`, a
// blank line, the body. Parsing records the place of every part, so that the
// server's warnings can be shown at their field.

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
    /** A header for signed mail in other mail. */
    | 'signedOnly'
    /** A Thread header in signed mail. */
    | 'noThread'
    /** A relative path while no folder is open. */
    | 'noFolder'
    | 'noFile';
  readonly text: string;
}

/** The value of a header line and its place. */
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

/** A header's name in lower case. */
export type Field = keyof typeof names;

export const fields = ['to', 'thread', 'subject', 'priority', 'type', 'attach', 'context'] as const;

/** The headers that only exist in signed mail (amp/0.1). */
const signedFields: readonly Field[] = fields.slice(2);

/** The header names that a compose document may have. */
export const headerNames: readonly string[] = fields.map((field) => names[field]);

/** A parsed compose document. A missing field is empty, and its place is the first line. */
export interface DraftText {
  readonly to: string;
  readonly thread: string;
  readonly subject: string;
  readonly priority: string;
  readonly type: string;
  readonly context: string;
  /** The paths as typed. */
  readonly attach: readonly Value[];
  readonly body: string;
  readonly places: Readonly<Record<Field | 'body', Place>>;
  /** The headers in the order of the text, with the places of their names. */
  readonly headers: readonly { readonly field: Field; readonly place: Place }[];
  /** The line on which the body begins. */
  readonly bodyLine: number;
  readonly problems: readonly Problem[];
}

/** Reports whether a draft becomes signed mail: it answers such mail, or is new, to an address. */
export function isSigned(to: string, replyTo: Ref | undefined): boolean {
  return replyTo === undefined ? to.includes('@') : replyTo.protocol === 'amp';
}

/** Returns a draft as the text of a compose document. */
export function formatDraft(draft: Draft): string {
  const { priority = '', type = '', context = '', attachments = [] } = draft;
  const lines = isSigned(draft.to, draft.replyTo)
    ? [
        ['To', draft.to],
        ['Subject', draft.subject ?? ''],
        ['Priority', priority || 'normal'],
        ...(type === '' ? [] : [['Type', type]]),
        ...(context === '' ? [] : [['Context', context]]),
        ...attachments.map((path) => ['Attach', path]),
      ]
    : [
        ['To', draft.to],
        ['Thread', draft.thread ?? ''],
      ];
  return `${lines.map(([name = '', value = '']) => `${name}: ${oneLine(value)}`).join('\n')}\n\n${draft.body}`;
}

/**
 * Returns a value without line breaks. A stranger's subject must not add another
 * header, such as one that attaches a file of yours.
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

/** Parses a compose document. It never fails: errors become problems with a place. */
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
  // Editors end a file with a newline. It is not part of the body.
  const body = rest.replace(/\n+$/, '');
  const firstBody = lines[bodyLine] ?? '';
  if (line >= lines.length)
    found.problems.push({ place: wholeLine(lines, lines.length - 1), kind: 'noBody', text: '' });
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

function wholeLine(lines: readonly string[], line: number): Place {
  return { line, start: 0, end: (lines[line] ?? '').length };
}

/** Returns a problem for each header that does not belong in this kind of mail. */
export function headerProblems(text: DraftText, signed: boolean): readonly Problem[] {
  if (signed) {
    const place = text.places.thread;
    return text.thread === '' ? [] : [{ place, kind: 'noThread', text: text.thread }];
  }
  // Without a recipient the draft may still become signed mail.
  if (text.to === '') return [];
  return text.headers
    .filter(({ field }) => signedFields.includes(field))
    .map(({ field, place }) => ({ place, kind: 'signedOnly', text: names[field] }));
}

/** The parts of a draft that may come from files. */
export interface FileParts {
  /** Absolute paths. */
  readonly attachments: readonly string[];
  readonly context: string;
}

const noFileParts: FileParts = { attachments: [], context: '' };

/** Returns the draft in a compose document. `replyTo` is the message that it answers, if any. */
export function toDraft(text: DraftText, replyTo: Ref | undefined, files: FileParts = noFileParts): Draft {
  const { to, body } = text;
  const reply = replyTo === undefined ? {} : { replyTo };
  if (!isSigned(to, replyTo)) return { to, body, ...nonEmpty({ thread: text.thread }), ...reply };
  const { subject, priority, type } = text;
  const { attachments, context } = files;
  return {
    to,
    body,
    ...reply,
    ...nonEmpty({ subject, priority, type, context }),
    ...(attachments.length === 0 ? {} : { attachments }),
  };
}

/** Returns the fields that are not empty. */
function nonEmpty<K extends string>(all: Readonly<Record<K, string>>): Partial<Record<K, string>> {
  const some: Partial<Record<K, string>> = {};
  for (const key in all) if (all[key] !== '') some[key] = all[key];
  return some;
}

/** The last attempt to send, saved so that a retry is recognised. */
export interface Attempt {
  readonly token: string;
  readonly draft: string;
  /** The stamp of signed mail. With it a retry sends exactly what the first try showed. */
  readonly stamp?: string;
}

/**
 * Returns the attempt for sending a draft. The same draft gets the same token, so a
 * message whose answer was lost is not written twice. A changed draft gets a new
 * token, since the server would otherwise answer with the older message.
 */
export function attemptFor(draft: Draft, last: Attempt | undefined, newToken = randomUUID): Attempt {
  const { to, thread = '', body, replyTo = null } = draft;
  const { subject, priority, type, context, attachments } = draft;
  // Everything that a stamp depends on is in the key.
  const key = JSON.stringify([to, thread, body, replyTo, { subject, priority, type, context, attachments }]);
  return attemptWith(key, last, newToken);
}

/** Returns the attempt for sending anything. Equal keys mean equal content. */
export function attemptWith(key: string, last: Attempt | undefined, newToken = randomUUID): Attempt {
  return last?.draft === key ? last : { token: newToken(), draft: key };
}
