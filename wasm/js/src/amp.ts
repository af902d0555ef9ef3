import type {
  Mail,
  MailAddress,
  MailAttachment,
  MailDraft,
  MailFilename,
  MailId,
  MailKey,
  MailKnown,
  MailLetter,
  MailLink,
  MailPlace,
  MailReply,
  MailTrust,
  MailVerdict,
} from './ampTypes.js';
import { hex, measured, Ops } from './caller.js';
import type { Caller } from './caller.js';
import type { Fault } from './fault.js';
import type { Bytes } from './json.js';

/** The ops of amp/0.1. Every method is one call of the module. No private key is handed over. */
export class Amp {
  readonly #ops: Ops;

  constructor(caller: Caller) {
    this.#ops = new Ops(caller);
  }

  /** Reads a message, as it was sent or as it is stored. */
  message(message: Bytes): Mail {
    return this.#ops.json('amp.message', {}, message);
  }

  /** Gives a payload, the object alone, as it is hashed. */
  payloadBytes(payload: Bytes): Uint8Array {
    return this.#ops.bytes('amp.payloadBytes', {}, payload);
  }

  /** Is the base64 form of the digest of these bytes. */
  payloadHash(payload: Bytes): string {
    return this.#ops.text('amp.payloadHash', {}, payload);
  }

  /** Gives the bytes that a message's signature must fit, with the payload as it is stored. */
  signed(message: Bytes): Uint8Array {
    return this.#ops.bytes('amp.signed', {}, message);
  }

  /** Holds a message against a public key in PEM or DER. That the signature does not fit is no error. */
  verify(message: Bytes, key: Bytes): MailVerdict {
    const { parts, lengths } = measured('amp.verify', [message, key]);
    return this.#ops.json('amp.verify', { messageLength: lengths[0] }, parts);
  }

  /** Says in one word how far a message can be trusted. */
  judge(message: Bytes, { keys = [], ...known }: MailKnown): MailTrust {
    const { parts, lengths } = measured('amp.judge', [message, ...keys]);
    const [messageLength, ...keyLengths] = lengths;
    return this.#ops.json('amp.judge', { ...known, messageLength, keys: keyLengths }, parts);
  }

  /** Groups messages by what they reply to: a place for each, in their order. */
  threads(links: readonly MailLink[]): readonly MailPlace[] {
    return this.#ops.json('amp.threads', { links }).places;
  }

  /** Lists categories of suspicious words in a text: a hint for a person, and nothing may depend on it. */
  flags(text: string): readonly string[] {
    return this.#ops.json('amp.flags', {}, text).flags;
  }

  /** Gives the texts that could stand in a trust wrapper, or none. */
  unwrap(text: string): readonly string[] {
    return this.#ops.json('amp.unwrap', {}, text).texts;
  }

  /** Puts a message together, without its signature. */
  compose(draft: MailDraft): MailLetter {
    return this.#ops.json('amp.compose', draft);
  }

  /** Writes the message of a draft with the bytes of its signature. Whether that fits is for verify to say. */
  finish(draft: MailDraft, signature: Uint8Array): Uint8Array {
    return this.#ops.bytes('amp.finish', draft, signature);
  }

  /** Begins an answer to a message. */
  reply(message: Bytes): MailReply {
    return this.#ops.json('amp.reply', {}, message);
  }

  /** Adds what a mailbox keeps of a new message: when it came, in Unix milliseconds, and how. */
  receive(message: Bytes, at: number, method: string): Uint8Array {
    return this.#ops.bytes('amp.receive', { at, method }, message);
  }

  /** Gives a stored message a state; at is when it was read, in Unix milliseconds. */
  setStatus(message: Bytes, status: 'unread' | 'read' | 'archived', at?: number): Uint8Array {
    return this.#ops.bytes('amp.setStatus', { status, at }, message);
  }

  /** Makes a message's id of a time in Unix milliseconds and 8 random bytes. */
  newId(millis: number, random: Uint8Array = randomBytes(8)): string {
    return this.#ops.text('amp.newId', { millis, random: hex(random) });
  }

  /** Makes an attachment's id in the same way. */
  newAttachmentId(millis: number, random: Uint8Array = randomBytes(8)): string {
    return this.#ops.text('amp.newAttachmentId', { millis, random: hex(random) });
  }

  /** Makes an idempotency key of 16 random bytes. */
  newIdempotencyKey(random: Uint8Array = randomBytes(16)): string {
    return this.#ops.text('amp.newIdempotencyKey', { random: hex(random) });
  }

  /** Says what may become of a file's name. */
  filename(name: string): MailFilename {
    return this.#ops.json('amp.filename', {}, name);
  }

  /** Gives content the form of an attachment's digest. */
  digest(content: Bytes): string {
    return this.#ops.text('amp.digest', {}, content);
  }

  /** Holds content against what a message says of it. With a fault it must not be opened. */
  checkAttachment({ size, digest }: Pick<MailAttachment, 'size' | 'digest'>, content: Bytes): Fault | null {
    return this.#ops.json('amp.checkAttachment', { size, digest }, content).fault;
  }

  /** Reads a public key in PEM or DER. */
  key(key: Bytes): MailKey {
    return this.#ops.json('amp.key', {}, key);
  }

  /** Takes a message's id apart. */
  id(id: string): MailId {
    return this.#ops.json('amp.id', {}, id);
  }

  /** Takes an attachment's id apart. */
  attachmentId(id: string): MailId {
    return this.#ops.json('amp.attachmentId', {}, id);
  }

  /** Takes a full address apart. */
  address(address: string): MailAddress {
    return this.#ops.json('amp.address', {}, address);
  }
}

function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}
