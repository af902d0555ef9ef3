// The messages between the thread view and the extension.

import type { Asset, MessageItem, Ref, ThreadItem, ThreadLink, Warning } from '../protocol';
import type { CommonMessage } from '../views/messages';

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
  | {
      readonly type: 'thread';
      readonly thread: ThreadItem;
      readonly messages: readonly MessageItem[];
      readonly older: boolean;
      readonly newer: boolean;
      readonly related: readonly ThreadLink[];
      readonly warnings: readonly Warning[];
    }
  | { readonly type: 'target'; readonly target: ReplyTarget; readonly focus: boolean }
  | { readonly type: 'reveal'; readonly message: Ref }
  | { readonly type: 'focusFoot' }
  | { readonly type: 'image'; readonly asset: string; readonly image: Image }
  | { readonly type: 'sent' }
  /** What was typed went elsewhere: the box is empty again. */
  | { readonly type: 'handedOver' }
  | { readonly type: 'sendFailed'; readonly message: string }
  /** With a title where nothing of the thread can be shown: what stands there is another's. */
  | { readonly type: 'failed'; readonly message: string; readonly title: string | undefined };

/** An image to show: its data: address, or why there is none. */
export type Image = { readonly address: string } | { readonly fault: string };

export type FromView =
  | CommonMessage
  | { readonly type: 'revealed' }
  /** The page behind what is shown; the end of the thread. */
  | { readonly type: 'newer' }
  | { readonly type: 'newest' }
  | { readonly type: 'answer'; readonly message: Ref | undefined }
  | { readonly type: 'send'; readonly body: string }
  | { readonly type: 'image'; readonly asset: string }
  | { readonly type: 'diff'; readonly message: Ref; readonly tool: number }
  | { readonly type: 'thread'; readonly ref: Ref }
  | { readonly type: 'file'; readonly message: Ref; readonly file: string; readonly save: boolean }
  | { readonly type: 'asDocument'; readonly body: string }
  | { readonly type: 'unread'; readonly back: boolean }
  | { readonly type: 'mail' };

const imageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Returns the data: address of an image, or undefined if it is not a raster image in base64. */
export function imageAddress({ mimeType, base64 }: Asset): string | undefined {
  if (!imageTypes.includes(mimeType) || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  return `data:${mimeType};base64,${base64}`;
}
