/** What a file is. The three are null for a file of no format. */
export interface FileKind {
  /** agn is AMP/1.0, amp is amp/0.1. */
  readonly protocol: 'samp' | 'atsf' | 'agn' | 'amp' | null;
  readonly kind:
    | 'log'
    | 'watermark'
    | 'message'
    | 'ack'
    | 'resume'
    | 'task'
    | 'rejections'
    | 'thread'
    | 'messages'
    | 'config'
    | null;
  /** Is name where the name alone says so. */
  readonly certainty: 'content' | 'name' | null;
  /** A phrase for a person. */
  readonly reason: string;
}

/** A place in a text that may name a message or a thread, if such a one is known. */
export interface Mention {
  readonly kind: 'message' | 'thread';
  /** Those of the token in the text, in bytes of UTF-8. */
  readonly offset: number;
  readonly length: number;
  readonly token: string;
}

/** The mentions in a text, in their order. */
export interface Links {
  readonly mentions: readonly Mention[];
  /** Counts those beyond the limit. */
  readonly more: number;
}

/** A text as one line. */
export interface Line {
  readonly line: string;
  /** Tells that it was shortened and ends in "…". */
  readonly cut: boolean;
}

/** Bounds what is made of Markdown. */
export interface RenderOptions {
  /** The length of the result in bytes; HTML may exceed it by 4 KiB. Default 1 MiB. */
  readonly maxBytes?: number;
  /** The level of the highest heading, 1 to 6. Default 1. */
  readonly topHeading?: number;
}
