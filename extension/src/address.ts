// Addresses of threads and messages: the percent-encoded token after "thread/" or
// "message/".

const maxToken = 512;

/** Returns the address of a thread or message. Other programs open it in VS Code. */
export function linkAddress(
  app: string,
  extension: string,
  kind: 'thread' | 'message',
  token: string,
): string {
  return `${app}://${extension}/${kind}/${encodeURIComponent(token)}`;
}

/** Returns the token in an address's path, or undefined. VS Code has already decoded the path. */
export function linkToken(path: string): string | undefined {
  const token = /^\/(?:thread|message)\/(.+)$/su.exec(path)?.[1];
  return token === undefined || token.length > maxToken || /\p{Cc}/u.test(token) ? undefined : token;
}
