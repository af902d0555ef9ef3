// What the pages of all views say to the extension in the same words.

/** A page is up; wants older entries, another try, its text; somebody types, copies, follows a link. */
export type CommonMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'older' }
  | { readonly type: 'retry' }
  | { readonly type: 'asText' }
  | { readonly type: 'typing'; readonly empty: boolean }
  | { readonly type: 'copy'; readonly text: string }
  | { readonly type: 'open'; readonly href: string };

/** Reads one of these; undefined for anything else. */
export function readCommon(value: object & { readonly type: unknown }): CommonMessage | undefined {
  switch (value.type) {
    case 'ready':
    case 'older':
    case 'retry':
    case 'asText':
      return { type: value.type };
    case 'typing':
      return 'empty' in value && typeof value.empty === 'boolean'
        ? { type: 'typing', empty: value.empty }
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
