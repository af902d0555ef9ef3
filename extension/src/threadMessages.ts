// What the thread view and the extension say to each other by postMessage.
// Both sides check the shape of what comes in.

import type { MessageItem, Ref, ThreadItem, Warning } from './protocol';
import { readRef } from './refs';

/** Everything the view shows in words, translated by the extension. */
export interface ThreadWords {
  readonly loadOlder: string;
  readonly loading: string;
  readonly newMarker: string;
  readonly jumpToNewest: string;
  readonly copy: string;
  readonly copied: string;
  readonly reply: string;
  readonly replyPlaceholder: string;
  readonly send: string;
  readonly sending: string;
  readonly sendHint: string;
  readonly cancelReply: string;
  readonly to: string;
  readonly you: string;
  readonly messages: string;
  /** Holds {0} where the number goes. */
  readonly messageCount: string;
  readonly oneMessage: string;
  readonly truncated: string;
  readonly openAsText: string;
  readonly retry: string;
  readonly empty: string;
  readonly notReached: string;
  readonly idForms: Readonly<Record<string, string>>;
}

/** Whom the reply box writes to, and whether it may. */
export interface ReplyTarget {
  readonly from: string;
  readonly to: string;
  readonly canSend: boolean;
  readonly reason: string;
  /** The message answered, if the user chose one; else the thread's last word. */
  readonly message: Ref | undefined;
}

export type ToView =
  | { readonly type: 'words'; readonly words: ThreadWords; readonly locale: string }
  | {
      readonly type: 'thread';
      readonly thread: ThreadItem;
      readonly messages: readonly MessageItem[];
      readonly older: boolean;
      readonly warnings: readonly Warning[];
    }
  | { readonly type: 'target'; readonly target: ReplyTarget; readonly focus: boolean }
  | { readonly type: 'reveal'; readonly message: Ref }
  | { readonly type: 'sent' }
  | { readonly type: 'sendFailed'; readonly message: string }
  | { readonly type: 'failed'; readonly message: string };

export type FromView =
  | { readonly type: 'ready' }
  | { readonly type: 'older' }
  | { readonly type: 'retry' }
  | { readonly type: 'asText' }
  | { readonly type: 'revealed' }
  | { readonly type: 'typing'; readonly empty: boolean }
  | { readonly type: 'answer'; readonly message: Ref | undefined }
  | { readonly type: 'send'; readonly body: string }
  | { readonly type: 'copy'; readonly text: string }
  | { readonly type: 'open'; readonly href: string };

/** Reads a message of the view; undefined for anything that is not one. */
export function readFromView(value: unknown): FromView | undefined {
  if (typeof value !== 'object' || value === null || !('type' in value)) return undefined;
  switch (value.type) {
    case 'ready':
    case 'older':
    case 'retry':
    case 'asText':
    case 'revealed':
      return { type: value.type };
    case 'typing':
      return 'empty' in value && typeof value.empty === 'boolean'
        ? { type: 'typing', empty: value.empty }
        : undefined;
    case 'answer':
      return { type: 'answer', message: 'message' in value ? readRef(value.message) : undefined };
    case 'send':
      return 'body' in value && typeof value.body === 'string'
        ? { type: 'send', body: value.body }
        : undefined;
    case 'copy':
      return 'text' in value && typeof value.text === 'string'
        ? { type: 'copy', text: value.text }
        : undefined;
    case 'open':
      return 'href' in value && typeof value.href === 'string'
        ? { type: 'open', href: value.href }
        : undefined;
    default:
      return undefined;
  }
}

/** The address if it is one the user may be asked to open: https, and nothing that hides where it leads. */
export function httpsAddress(href: string): string | undefined {
  try {
    const url = new URL(href);
    return url.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : undefined;
  } catch {
    return undefined;
  }
}
