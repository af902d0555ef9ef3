// Addresses from outside that open a thread or message: the token that names
// one after "thread/" or "message/", as in vscode://signalbox-dev.signalbox/thread/….

/** Longer tokens name nothing. */
const maxToken = 512;

/** The token in the path of such an address, or undefined. A path of VS Code's is decoded already. */
export function linkToken(path: string): string | undefined {
  const token = /^\/(?:thread|message)\/(.+)$/su.exec(path)?.[1];
  return token === undefined || token.length > maxToken || /\p{Cc}/u.test(token) ? undefined : token;
}
