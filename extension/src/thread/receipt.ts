// The outcome of a message in words, and the draft that sends a lost one again.

import type { Draft, MessageItem, Receipt } from '../protocol';
import type { ThreadWords } from './words';

/** Returns the words for a receipt, with {0} for the receiver and {1} for the time. */
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
 * Returns a draft of mail that quotes a message which an agent's program did not deliver. The
 * text is an agent's, so only the user sends it.
 */
export function resendDraft({ from, to, receipt }: MessageItem, opening: string): Draft {
  const quoted = (receipt?.text ?? '').trimEnd().replace(/^/gm, '> ');
  return {
    to: receipt?.alias ?? '',
    body: `${opening.replace('{0}', from).replace('{1}', to)}\n\n${quoted}\n`,
  };
}

/** Reports whether hooks may still change the receipt of a message of the user's own. */
export function receiptMayChange({ receipt }: MessageItem): boolean {
  return receipt !== undefined && receipt.state !== 'answered' && receipt.state !== 'lost';
}
