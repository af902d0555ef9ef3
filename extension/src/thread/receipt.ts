// What became of a message, in words, and how a lost one is sent again.

import type { Draft, MessageItem, Receipt } from '../protocol';
import type { ThreadWords } from './words';

/** Returns the words for a receipt, with {0} for who the message went to and {1} for when. */
export function receiptText(
  { state, reason, time }: Receipt,
  { receipts }: Pick<ThreadWords, 'receipts'>,
): string {
  switch (state) {
    case 'told':
      return receipts.told;
    case 'read':
      return time > 0 ? receipts.readAt : receipts.read;
    case 'answered':
      return receipts.answered;
    case 'nobody':
      return receipts[reason ?? 'waits'];
    case 'sent':
    case 'lost':
      return receipts.sent;
  }
}

/**
 * Returns a draft of mail that says what an agent's program did not deliver. The text is an agent's: it is
 * quoted, and sent by nobody but the user.
 */
export function againDraft({ from, to, receipt }: MessageItem, opening: string): Draft {
  const quoted = (receipt?.text ?? '').trimEnd().replace(/^/gm, '> ');
  return {
    to: receipt?.alias ?? '',
    body: `${opening.replace('{0}', from).replace('{1}', to)}\n\n${quoted}\n`,
  };
}

/** Whether hooks may tell more of a message of the user's own. */
export function mayChange({ receipt }: MessageItem): boolean {
  return receipt !== undefined && receipt.state !== 'answered' && receipt.state !== 'lost';
}
