// Which attachments the editor can show. Name and type are the sender's claims:
// they decide only which buttons are offered.

/** The way in which the editor shows a file, or undefined if it cannot show it. */
export type Shown = 'text' | 'image' | undefined;

const images = /\.(png|jpe?g|gif|webp|bmp)$/i;

const texts =
  /\.(txt|md|markdown|log|diff|patch|csv|tsv|json|jsonl|jsonc|ya?ml|toml|ini|cfg|conf|xml|html?|css|scss|less|svg|tex|rst|adoc|sql|graphql|proto|[cm]?[jt]sx?|vue|svelte|py|pyi|rb|go|mod|sum|rs|java|kt|kts|swift|[ch]|cc|cpp|hpp|cs|m|mm|php|pl|lua|r|jl|scala|clj|ex|exs|erl|hs|ml|zig|dart|sh|bash|zsh|fish|ps1|bat|cmd|nix|tf|gradle|cmake|mk|lock|pem)$/i;

const textTypes =
  /^(text\/[\w.+-]+|application\/([\w.-]+\+)?(json|xml|yaml|x-yaml|toml|javascript|x-sh|sql|x-ndjson))\s*(;|$)/i;

/** Names without an ending, for which the type decides. */
const bare = /^[^.]+$/;

export function shownAs(name: string, type: string): Shown {
  if (images.test(name)) return 'image';
  if (texts.test(name) || (textTypes.test(type) && bare.test(name))) return 'text';
  return undefined;
}

/** Reports whether content that claims to be text has a NUL byte. */
export function isBinary(content: Uint8Array): boolean {
  return content.subarray(0, 65_536).includes(0);
}
