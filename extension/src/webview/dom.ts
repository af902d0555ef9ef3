// Builds elements. Text is always inserted as text, never as HTML.

export interface Build {
  readonly class?: string;
  readonly text?: string;
  readonly title?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  build: Build = {},
  ...children: readonly (Node | undefined)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  if (build.class !== undefined) made.className = build.class;
  if (build.text !== undefined) made.textContent = build.text;
  if (build.title !== undefined) made.title = build.title;
  for (const [key, value] of Object.entries(build.attributes ?? {})) made.setAttribute(key, value);
  for (const child of children) if (child !== undefined) made.appendChild(child);
  return made;
}

export function span(text: string, className?: string): HTMLSpanElement {
  return element('span', className === undefined ? { text } : { class: className, text });
}

/** Makes a details element that unfolds below a label. */
export function folded(
  className: string,
  label: readonly (Node | undefined)[],
  ...inside: readonly Node[]
): HTMLDetailsElement {
  const summary = element('summary', {}, drawing('chevron'), ...label);
  return element('details', className === '' ? {} : { class: className }, summary, ...inside);
}

export function button(label: string, className: string, press: () => void): HTMLButtonElement {
  const made = element('button', { class: className, text: label, attributes: { type: 'button' } });
  made.addEventListener('click', press);
  return made;
}

/** How long a button that is new or has a new label does nothing: a click was meant for the one before. */
export const deadMillis = 700;

/** Sets the children of a list in order. Children that stay are not moved, which would lay them out again. */
export function arrange(list: HTMLElement, wanted: readonly HTMLElement[]): void {
  const kept = new Set<Element>(wanted);
  for (const child of [...list.children]) if (!kept.has(child)) child.remove();
  let at = list.firstElementChild;
  for (const child of wanted) {
    if (child === at) at = at.nextElementSibling;
    else list.insertBefore(child, at);
  }
}

/** Highlights an element that the user was looking for, until the highlight has faded. */
export function markFound(found: HTMLElement): void {
  found.classList.add('found');
  found.addEventListener('animationend', () => found.classList.remove('found'), { once: true });
}

/** Icons, as paths on a 16 by 16 grid, in the colour of the text. */
const drawings = {
  ok: 'M3 8.5 6.3 12 13 4.5',
  note: 'M8 7.2V12M8 4v1.2',
  warn: 'M8 2.2 14.6 13.6H1.4zM8 6.4v3.4M8 11.3v.9',
  down: 'M8 3v10M3.5 8.7 8 13.2l4.5-4.5',
  up: 'M8 13V3M3.5 7.3 8 2.8l4.5 4.5',
  reply: 'M6.5 3 2.5 7l4 4M2.5 7H10a3.5 3.5 0 0 1 3.5 3.5V13',
  chevron: 'M6 3.5 10.5 8 6 12.5',
  pending: 'M8 2.8a5.2 5.2 0 1 0 0 10.4A5.2 5.2 0 0 0 8 2.8',
  running: 'M8 2.8a5.2 5.2 0 1 0 5.2 5.2M8 5v3.2l2 1.6',
  failed: 'M4 4l8 8M12 4l-8 8',
  unknown: 'M5.6 6a2.4 2.4 0 1 1 3.4 2.2c-.7.4-1 .8-1 1.6M8 12.3v.3',
  mail: 'M2 4h12v8.5H2zM2 4.5l6 4.6 6-4.6',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  critical: 'M5.2 2h5.6L14 5.2v5.6L10.8 14H5.2L2 10.8V5.2zM8 4.9v3.8M8 10.7v.4',
  info: 'M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2M8 7.4v3.4M8 4.9v.4',
  file: 'M4 2h5.5L12.5 5v9H4zM9.5 2v3h3',
  terminal: 'M2 3h12v10H2zM4.5 5.8l2.2 2.2-2.2 2.2M8.5 10.5h3',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  question:
    'M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2M6.2 6.5a1.9 1.9 0 1 1 2.7 1.7c-.6.3-.9.7-.9 1.3M8 11.4v.2',
  error: 'M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2M5.9 5.9l4.2 4.2M10.1 5.9l-4.2 4.2',
  done: 'M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2M5.4 8.3l1.8 1.8 3.4-3.9',
  ended: 'M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2M6.2 6.2h3.6v3.6H6.2z',
  idle: 'M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2',
  denied: 'M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2M4 4l8 8',
  plan: 'M1.8 4 2.9 5.1 4.8 2.9M1.8 8 2.9 9.1 4.8 6.9M1.8 12l1.1 1.1 1.9-2.2M7 4h7M7 8h7M7 12h7',
  edit: 'M10.8 2.4 13.6 5.2 5.4 13.4l-3.6.8.8-3.6zM9.2 4l2.8 2.8',
  halt: 'M4.8 2.5v11M11.2 2.5v11',
  spin: 'M8 2.4A5.6 5.6 0 0 1 13.6 8',
  send: 'M2 2.6 14 8 2 13.4 4 8zM4 8h5',
  bell: 'M3.2 11.5c1-1 1.3-2 1.3-4a3.5 3.5 0 0 1 7 0c0 2 .3 3 1.3 4zM6.8 13.6h2.4',
  snooze: 'M2.4 8a5.6 5.6 0 1 0 1.8-4.1M2.4 2.6v2.6H5M8 5v3.2l2.2 1.4',
  unplugged:
    'M2.5 13.5 5 11M4.2 8.2l3.6 3.6 1.5-1.5-3.6-3.6zM7.4 6.4l2.2 2.2M13.5 2.5 11 5M6.6 5.8l1.9-1.9a2.5 2.5 0 0 1 3.6 3.6l-1.9 1.9',
  dots: 'M3.2 8h.1M8 8h.1M12.8 8h.1',
  changes: 'M3 2.2h6l4 4v7.6H3zM8 5.4v4M6 7.4h4M6 11.6h4',
  window: 'M2 2.8h12v10.4H2zM2 5.6h12',
  message: 'M2 3h12v8H7.5L4.5 13.6V11H2z',
  play: 'M4.5 2.8 12.5 8l-8 5.2z',
  branch:
    'M5 5.5v5M5 5.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3M5 13.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3M11 6.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3M11 6.5C11 9 5 8 5 10.5',
  clock: 'M8 2.4a5.6 5.6 0 1 0 0 11.2A5.6 5.6 0 0 0 8 2.4M8 5v3.2l2.2 1.4',
} as const;

export type Drawing = keyof typeof drawings;

/** Makes an icon. Screen readers skip it, because the words beside it have the same meaning. */
export function drawing(name: Drawing): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', `drawing ${name}`);
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', drawings[name]);
  svg.appendChild(path);
  return svg;
}
