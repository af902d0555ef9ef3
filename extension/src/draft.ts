// The text of a compose document: header lines `To:` and `Thread:`, a blank
// line, the body. Parsing keeps the place of every part, so that a warning of
// the server about a field lands on that field.

import { randomUUID } from 'node:crypto';
import type { Draft, Ref } from './protocol';

/** A part of one line, in UTF-16 code units. */
export interface Place {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

export interface Problem {
  readonly place: Place;
  readonly kind: 'unknownHeader' | 'noColon' | 'repeated' | 'noBody';
  readonly text: string;
}

/** A parsed compose document. Fields not written are empty, with the place where they belong. */
export interface DraftText {
  readonly to: string;
  readonly thread: string;
  readonly body: string;
  readonly places: { readonly to: Place; readonly thread: Place; readonly body: Place };
  /** The line the body begins on; the header's lines are those before it. */
  readonly bodyLine: number;
  readonly problems: readonly Problem[];
}

const names = ['To', 'Thread'] as const;

/** The header names a compose document may hold. */
export const headerNames: readonly string[] = names;

/** Writes a draft as the text of a compose document. */
export function formatDraft(draft: Draft): string {
  return `To: ${draft.to}\nThread: ${draft.thread ?? ''}\n\n${draft.body}`;
}

/** Reads a compose document. Never fails: what cannot be read is a problem with a place. */
export function parseDraft(text: string): DraftText {
  const lines = text.split(/\r\n|\n/);
  const found = new Map<string, { value: string; place: Place }>();
  const problems: Problem[] = [];
  let line = 0;
  for (; line < lines.length; line++) {
    const content = lines[line] ?? '';
    if (content.trim() === '') break;
    readHeader(content, line, found, problems);
  }
  const bodyLine = Math.min(line + 1, lines.length);
  const rest = lines.slice(bodyLine).join('\n');
  // A last newline is how editors end a file, not part of what was said.
  const body = rest.replace(/\n+$/, '');
  const firstBody = lines[bodyLine] ?? '';
  if (line >= lines.length)
    problems.push({ place: whole(lines, lines.length - 1), kind: 'noBody', text: '' });
  const top: Place = { line: 0, start: 0, end: (lines[0] ?? '').length };
  const to = found.get('to');
  const thread = found.get('thread');
  return {
    to: to?.value ?? '',
    thread: thread?.value ?? '',
    body,
    places: {
      to: to?.place ?? top,
      thread: thread?.place ?? top,
      body: { line: Math.min(bodyLine, lines.length - 1), start: 0, end: firstBody.length },
    },
    bodyLine,
    problems,
  };
}

function readHeader(
  content: string,
  line: number,
  found: Map<string, { value: string; place: Place }>,
  problems: Problem[],
): void {
  const place = { line, start: 0, end: content.length };
  const colon = content.indexOf(':');
  if (colon < 0) {
    problems.push({ place, kind: 'noColon', text: content });
    return;
  }
  const name = content.slice(0, colon).trim();
  const known = names.find((candidate) => candidate.toLowerCase() === name.toLowerCase());
  if (known === undefined) {
    problems.push({ place: { ...place, end: colon }, kind: 'unknownHeader', text: name });
    return;
  }
  if (found.has(known.toLowerCase())) {
    problems.push({ place, kind: 'repeated', text: known });
    return;
  }
  const value = content.slice(colon + 1);
  const start = colon + 1 + (value.length - value.trimStart().length);
  found.set(known.toLowerCase(), {
    value: value.trim(),
    place: { line, start, end: Math.max(start, content.trimEnd().length) },
  });
}

function whole(lines: readonly string[], line: number): Place {
  return { line, start: 0, end: (lines[line] ?? '').length };
}

/** The draft a compose document stands for, with what it answers, if it answers anything. */
export function toDraft(text: DraftText, replyTo: Ref | undefined): Draft {
  return {
    to: text.to,
    body: text.body,
    ...(text.thread === '' ? {} : { thread: text.thread }),
    ...(replyTo === undefined ? {} : { replyTo }),
  };
}

/** What was last tried to be sent, kept so that a retry is recognised as one. */
export interface Attempt {
  readonly token: string;
  readonly draft: string;
}

/**
 * The client token to send a draft with. The same draft keeps its token, so a
 * send whose answer was lost is not written twice; a changed draft gets a new
 * one, so that the server does not answer it with the older message.
 */
export function attemptFor(draft: Draft, last: Attempt | undefined, newToken = randomUUID): Attempt {
  const key = JSON.stringify([draft.to, draft.thread ?? '', draft.body, draft.replyTo ?? null]);
  return attemptWith(key, last, newToken);
}

/** The same for anything that is sent: equal keys stand for the same thing to send. */
export function attemptWith(key: string, last: Attempt | undefined, newToken = randomUUID): Attempt {
  return last?.draft === key ? last : { token: newToken(), draft: key };
}
