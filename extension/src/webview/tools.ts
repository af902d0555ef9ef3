// Small buttons with only an icon, and the button that opens the editor's menu.

import { button, drawing, type Drawing } from './dom';

/** Makes a button with an icon, whose tooltip names its action. */
export function toolButton(icon: Drawing, label: string, key: string, press: () => void): HTMLButtonElement {
  const made = button('', 'tool', press);
  made.title = key === '' ? label : `${label} (${key})`;
  made.setAttribute('aria-label', label.replace(/…$/, ''));
  made.append(drawing(icon));
  return made;
}

/** Makes the button that opens the context menu. */
export function moreButton(label: string, key: string): HTMLButtonElement {
  const made = toolButton('dots', label, key, () => openMenu(made));
  made.setAttribute('aria-haspopup', 'menu');
  return made;
}

/** Opens the editor's menu for an element; VS Code reads its data-vscode-context. */
export function openMenu(at: HTMLElement): void {
  const { left, bottom } = at.getBoundingClientRect();
  at.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, clientX: left, clientY: bottom }));
}

/** Sets the menu of an element, with facts for the conditions of the menu's lines. */
export function menuContext(
  at: HTMLElement,
  section: string,
  facts: Readonly<Record<string, boolean>>,
): void {
  const context = { webviewSection: section, preventDefaultContextMenuItems: true, ...facts };
  at.dataset['vscodeContext'] = JSON.stringify(context);
}
