import type { Fault, Findings, Time } from './fault.js';
import type { Bytes, Json, NewJson } from './json.js';

/**
 * A message of amp/0.1. Members that are missing or of the wrong kind are empty,
 * and listed in faults. from, to, subject, priority, inReplyTo and the payload are
 * signed; all else is anybody's word.
 */
export interface Mail extends Findings {
  readonly version: string;
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  /** urgent, high, normal or low. */
  readonly priority: string;
  readonly time: Time;
  readonly expires: Time;
  /** In base64, and empty where the message is not signed. */
  readonly signature: string;
  /** Names the signature, so that it is found again under another message's id. */
  readonly signatureId: string;
  readonly inReplyTo: string;
  readonly threadId: string;
  readonly idempotencyKey: string;
  readonly payload: MailPayload;
  /** What the receiver's client keeps beside a message; verified proves nothing. */
  readonly local: {
    readonly received: Time;
    readonly readAt: Time;
    readonly status: string;
    readonly method: string;
    readonly verified: boolean;
  };
  /** What somebody else thought of the message when it was stored: never a reason to trust it. */
  readonly security: {
    readonly trustLevel: string;
    readonly flags: readonly string[];
    readonly quarantineId: string;
    readonly windowScan: string;
    /** 0 to 100, or -1 where there is none. */
    readonly riskScore: number;
    readonly riskLevel: string;
    readonly wrapped: boolean;
  };
}

/** What a message says. */
export interface MailPayload {
  readonly type: string;
  /** The message itself, as it is stored, a trust wrapper included. */
  readonly text: string;
  /** The message's own object. What is signed are its bytes: see verify. */
  readonly context: Json;
  readonly attachments: readonly MailAttachment[];
}

interface MailAttachmentOf<When> {
  readonly id: string;
  /** Is safe to use only through filename. */
  readonly filename: string;
  readonly contentType: string;
  /** In bytes. */
  readonly size: number;
  /** sha256: and 64 hexadecimal digits. */
  readonly digest: string;
  /** Is never fetched by itself. */
  readonly url: string;
  readonly scanStatus: string;
  readonly uploaded: When;
  readonly expires: When;
}

/** What a message says of a file that lies elsewhere. */
export type MailAttachment = MailAttachmentOf<Time>;

/** An attachment to be written; its times are texts, as a provider gave them. */
export type NewMailAttachment = MailAttachmentOf<string>;

type StoredStep = 'as stored' | 'without the empty attachments' | 'without the trust wrapper';

/** The form in which a message was signed, and what its sender wrote in another way. */
export type SignedStep = StoredStep | `${StoredStep}, with ${string}` | 'not verified';

/** Tells what a signature fits. */
export interface MailVerdict {
  readonly verified: boolean;
  readonly step: SignedStep;
  /** The payload as it was hashed, and the text that was signed; empty where the signature does not fit. */
  readonly payload: string;
  readonly signed: string;
  readonly fault: Fault | null;
}

/** What a reader knows when a message is judged. */
export interface MailKnown {
  /** In Unix milliseconds. */
  readonly now: number;
  /** The sender's, in PEM or DER. */
  readonly keys?: readonly Bytes[];
  /** The fingerprint of the key that was first seen of the sender. */
  readonly pin?: string;
  /** The reader's addresses. */
  readonly self?: readonly string[];
  /** The signatures of messages that came before, the oldest first. */
  readonly earlier?: readonly {
    readonly signatureId: string;
    readonly id: string;
    readonly idempotencyKey?: string;
  }[];
}

/** What was found out about a message. */
export interface MailTrust {
  readonly state:
    | 'verified'
    | 'external'
    | 'untrusted'
    | 'unsigned'
    | 'key unknown'
    | 'key mismatch'
    | 'replayed'
    | 'expired'
    | 'sent before';
  /** A lower-case phrase for a person. It may quote the message. */
  readonly reason: string;
  readonly step: SignedStep;
  /** The fingerprint of the key that the signature fits, or empty. */
  readonly key: string;
  /** Categories of suspicious words: a hint for a person. */
  readonly flags: readonly string[];
}

/** What a message says about its place in a conversation. */
export interface MailLink {
  readonly id: string;
  readonly inReplyTo?: string;
}

/** A message's place in a conversation. */
export interface MailPlace {
  /** The id of the message that the conversation begins with. */
  readonly thread: string;
  /** The index of the message that it replies to, or -1. */
  readonly parent: number;
  /** Counts the messages above it that are there. */
  readonly depth: number;
  /** Tells of a reply to a message that is not there. */
  readonly missing: boolean;
  /** Tells of a message that was taken out of a circle of replies. */
  readonly cycle: boolean;
}

/** A message to be written. */
export interface MailDraft {
  /** As newId and newIdempotencyKey make them. A retry keeps both. */
  readonly id: string;
  readonly idempotencyKey: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  /** Default: normal. */
  readonly priority?: string;
  /** When it is written, in Unix milliseconds. */
  readonly millis: number;
  readonly expires?: number;
  readonly inReplyTo?: string;
  readonly threadId?: string;
  readonly type: string;
  readonly text?: string;
  readonly context?: NewJson;
  readonly attachments?: readonly NewMailAttachment[];
  /** Tells that a provider will take the message. */
  readonly routed?: boolean;
}

/** A message that only lacks its signature. */
export interface MailLetter {
  /** The payload as it is hashed and written. */
  readonly payload: string;
  /** What has to be signed: by Ed25519 as it stands, by RSA and ECDSA its SHA-256 digest. */
  readonly signed: string;
  /** Lists what other implementations hash in another way. */
  readonly portability: readonly Fault[];
}

/** The beginning of an answer's draft. */
export interface MailReply {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly inReplyTo: string;
  readonly threadId: string;
}

/** What may become of a file's name. */
export interface MailFilename {
  /** The name under which an attachment that was received may be stored, empty with a fault. */
  readonly safe: string;
  readonly safeFault: Fault | null;
  /** The name that a new attachment gets for a file of that name, empty with a fault. */
  readonly clean: string;
  readonly cleanFault: Fault | null;
  /** Tells of the name of a device on Windows. */
  readonly device: boolean;
}

/** A public key. */
export interface MailKey {
  readonly algorithm: 'Ed25519' | 'RSA' | 'ECDSA P-256';
  /** SHA256: and the base64 form of the digest of the key's DER form. */
  readonly fingerprint: string;
  readonly pem: string;
}

/** The id of a message or an attachment in its parts. A valid one is safe as the name of a file. */
export interface MailId {
  readonly valid: boolean;
  /** In Unix seconds. */
  readonly seconds: number;
  /** Tells that the id counts milliseconds. */
  readonly millis: boolean;
  readonly suffix: string;
  readonly dashes: boolean;
}

/** A full address in its parts, both empty if it is not valid. */
export interface MailAddress {
  readonly valid: boolean;
  readonly agent: string;
  readonly domain: string;
}
