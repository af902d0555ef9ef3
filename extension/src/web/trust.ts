// The trust of signed mail in a browser. The only keys here are those in the
// workspace, beside the mail: whoever writes the mail can write the keys. So a
// signature may fit a key, but nothing is called verified. Only the desktop has
// keys that the user knows.

import type { Mail } from '@signalbox/core';
import { limits } from './limits';
import type { Desk, L10n } from './model';
import type { Prose } from './prose';

/** The owner of a mailbox, by the files in it. */
export interface Owner {
  readonly mailbox: string;
  readonly addresses: readonly string[];
  /** The bytes of the public key's file, or undefined. */
  readonly key: Uint8Array | undefined;
}

/** A message and its place. */
export interface Letter {
  readonly mail: Mail;
  readonly data: Uint8Array;
  readonly path: string;
  readonly owner: Owner;
  readonly received: boolean;
}

/** Reads the owner of a mailbox. A private key is never read. */
export function ownerOf({ files, memo }: Desk, mailbox: string): Promise<Owner> {
  return memo.of(`${mailbox}/config.json`, 'owner', async () => {
    const addresses: string[] = [];
    const config = await files.read(`${mailbox}/config.json`, limits.small);
    if (config instanceof Uint8Array) addresses.push(addressIn(config, 'agent'));
    const providers = (await files.list(`${mailbox}/registrations`)).filter((name) => name.endsWith('.json'));
    for (const name of providers.slice(0, 20)) {
      const data = await files.read(`${mailbox}/registrations/${name}`, limits.small);
      if (data instanceof Uint8Array) addresses.push(addressIn(data));
    }
    const key = await files.read(`${mailbox}/keys/public.pem`, limits.small);
    return {
      mailbox,
      addresses: addresses.filter((address) => address !== ''),
      key: key instanceof Uint8Array ? key : undefined,
    };
  });
}

/** Returns the member "address" of a JSON object or of one of its members; empty if there is none. */
export function addressIn(file: Uint8Array, member?: string): string {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(file));
    const object = member === undefined ? value : memberOf(value, member);
    const address = memberOf(object, 'address');
    return typeof address === 'string' ? address : '';
  } catch {
    return '';
  }
}

/** Returns a member of a JSON value, or undefined if it is no object or has none of this name. */
function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

/** Returns a line of Markdown about a message's trust. */
export async function trustWords(
  desk: Desk,
  prose: Prose,
  { mail, data, owner }: Letter,
  owners: readonly Owner[],
  all: readonly Letter[],
): Promise<string> {
  const { l10n } = desk;
  if (mail.signature === '') return l10n.t('Not signed: anybody may have written this.');
  const of = owners.find(({ key, addresses }) => key !== undefined && has(addresses, mail.from));
  if (of?.key === undefined)
    return l10n.t('Signed, but not verified here: no key of the sender lies in this workspace.');
  // A later message with the same signature is a replay.
  const at = all.findIndex((letter) => letter.mail.id === mail.id);
  const earlier = all
    .slice(0, Math.max(0, at))
    .filter((letter) => letter.mail.signatureId === mail.signatureId)
    .map((letter) => ({ signatureId: letter.mail.signatureId, id: letter.mail.id }));
  const params = {
    now: desk.now(),
    messageLength: data.length,
    keys: [of.key.length],
    self: owner.addresses,
    earlier,
  };
  const trust = await desk.calls.json('amp.judge', params, [data, of.key]);
  const reason = await prose.inline(trust.reason);
  if (trust.key === '')
    return l10n.t(
      'Not trusted: the signature does not match the sender’s key in this workspace. {0}',
      reason,
    );
  const fits = l10n.t(
    'The signature matches the key {0} in {1}. Whoever can write to this workspace could have put both there: only the desktop compares it with keys that you know.',
    await prose.code(trust.key),
    await prose.code(desk.files.label(of.mailbox)),
  );
  return trust.state === 'verified' ? fits : `${fits} ${await prose.inline(trust.state)}: ${reason}`;
}

/** Returns a line of Markdown for formats without signatures. */
export function unsigned(l10n: L10n): string {
  return `_${l10n.t('Not verified: this format has no signatures. Whoever can write these files can write under any name.')}_`;
}

function has(addresses: readonly string[], address: string): boolean {
  return addresses.some((each) => each.toLowerCase() === address.toLowerCase());
}
