// Builds elements. Text always goes in as text.

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

/** Makes details that unfold below a label. */
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

/** Sets the children of a list, in this order. Children that stay are not moved: that would lay them out again. */
export function arrange(list: HTMLElement, wanted: readonly HTMLElement[]): void {
  const kept = new Set<Element>(wanted);
  for (const child of [...list.children]) if (!kept.has(child)) child.remove();
  let at = list.firstElementChild;
  for (const child of wanted) {
    if (child === at) at = at.nextElementSibling;
    else list.insertBefore(child, at);
  }
}

/** Highlights what was looked for until the highlight has faded. */
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
  clock: 'M8 2.4a5.6 5.6 0 1 0 0 11.2A5.6 5.6 0 0 0 8 2.4M8 5v3.2l2.2 1.4',
} as const;

export type Drawing = keyof typeof drawings;

/** Makes an icon. Screen readers skip it: the words beside it say the same. */
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
