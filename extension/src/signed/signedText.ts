// Signed mail (amp/0.1) in Markdown: the facts that only signed messages have,
// and the bytes of a draft that will be signed.

import { fenced, inline } from '../strangers';
import { fill, join, type Translate } from '../fill';
import type { AttachmentItem, ComposePreview, MessageItem } from '../protocol';
import { scanWords, type SignedWords } from './signedWords';
import { isoTime, sizeWords } from '../when';

/** Returns the lines above the text of a signed message. Other messages have none. */
export function signedFacts(message: MessageItem, words: SignedWords, parent: string): readonly string[] {
  const { amp } = message;
  if (amp === undefined) return [];
  const reply =
    amp.missing !== undefined && amp.missing !== ''
      ? fill(words.replyToMissing, amp.missing)
      : parent === ''
        ? ''
        : fill(words.replyTo, parent);
  const lines = [
    `${words.subject}: ${amp.subject}`,
    reply,
    join([`${words.priority}: ${amp.priority}`, `${words.type}: ${amp.type}`], ' · '),
    join([`${words.trust}: ${message.trust.label}`, message.trust.detail], ': '),
    amp.key === undefined ? '' : `${words.key}: ${amp.key}`,
    amp.step === undefined ? '' : `${words.step}: ${amp.step}`,
    amp.expires === undefined || amp.expires === 0
      ? ''
      : fill(amp.expired === true ? words.expiredAt : words.expiresAt, isoTime(amp.expires)),
    amp.flags.length === 0
      ? ''
      : fill(words.flags, amp.flags.map((flag) => words.flagNames[flag] ?? flag).join(', ')),
    ...amp.faults.map(({ rule, message: text }) => `${words.fault} ${rule}: ${text}`),
  ];
  return lines.filter((line) => line !== '').map((line) => `- ${inline(line)}`);
}

/** Returns the lines below the text of a signed message. */
export function signedMore(message: MessageItem, words: SignedWords): readonly string[] {
  const { amp } = message;
  if (amp === undefined) return [];
  const lines: string[] = [];
  if (amp.context !== undefined && amp.context !== '')
    lines.push('', `${words.context}:`, '', ...fenced(amp.context, 'json'));
  if (amp.attachments.length > 0) {
    lines.push('', `${words.attachments}:`, '');
    lines.push(...amp.attachments.map((file) => `- ${inline(fileLine(file, words))}`));
  }
  return lines;
}

function fileLine(file: AttachmentItem, words: SignedWords): string {
  return join(
    [
      file.name === '' ? words.noName : file.name,
      file.type,
      sizeWords(file.size, 'en'),
      scanWords(file.scan, words),
      file.present ? '' : words.notHere,
      file.problem ?? '',
    ],
    ' · ',
  );
}

export type PreviewWords = Readonly<ReturnType<typeof previewWords>>;

/** Returns the words of the preview of a draft. */
export function previewWords(t: Translate) {
  return {
    title: t('What will be signed'),
    nothing: t('There is nothing to sign yet.'),
    signed: t('Signed bytes ({0} B)', '{0}'),
    payload: t('Payload ({0} B), whose digest ends the signed bytes', '{0}'),
    attachments: t('Attachments'),
    remarks: t('Remarks'),
  };
}

/** Returns the preview of a draft: the exact bytes to sign, and the payload whose digest is in them. */
export function previewAsMarkdown(preview: ComposePreview | undefined, words: PreviewWords): string {
  const lines = [`# ${words.title}`, ''];
  const remarks = preview?.warnings ?? [];
  if (remarks.length > 0) {
    lines.push(`${words.remarks}:`, '');
    lines.push(...remarks.map(({ rule, message }) => `- ${inline(join([rule, message], ': '))}`), '');
  }
  if (preview?.signed === undefined || preview.signed === '') return [...lines, words.nothing, ''].join('\n');
  const bytes = (text: string): string => String(new TextEncoder().encode(text).length);
  lines.push(...fenced(`${preview.from} → ${preview.to}\n${preview.id}`), '');
  lines.push(`## ${fill(words.signed, bytes(preview.signed))}`, '', ...fenced(preview.signed), '');
  lines.push(`## ${fill(words.payload, bytes(preview.record))}`, '', ...fenced(preview.record, 'json'), '');
  const files = preview.attachments ?? [];
  if (files.length > 0) {
    const lineOf = ({ name, type, size, problem = '' }: AttachmentItem): string =>
      join([name, type, sizeWords(size, 'en'), problem], ' · ');
    lines.push(`## ${words.attachments}`, '', ...fenced(files.map(lineOf).join('\n')));
  }
  return `${lines.join('\n').trimEnd()}\n`;
}
