// Links to threads and messages that can be copied anywhere: the token that
// names one, percent-encoded, after "thread/" or "message/".

/** Longer tokens name nothing. */
const maxToken = 512;

/** The address of a thread or message for other programs: VS Code opens it. */
export function linkAddress(
  app: string,
  extension: string,
  kind: 'thread' | 'message',
  token: string,
): string {
  return `${app}://${extension}/${kind}/${encodeURIComponent(token)}`;
}

/** The token in the path of such an address, or undefined. A path of VS Code's is decoded already. */
export function linkToken(path: string): string | undefined {
  const token = /^\/(?:thread|message)\/(.+)$/su.exec(path)?.[1];
  return token === undefined || token.length > maxToken || /\p{Cc}/u.test(token) ? undefined : token;
}
