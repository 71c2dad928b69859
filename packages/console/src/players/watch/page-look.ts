// Applies the configured appearance: name, text, colours, theme.
import type { WatchLook } from '@srs-stack/contract/values/watch-info.ts';
import { element } from '../player-stage.ts';

/** Sets the attribute that selects the theme. The build replaces CSS `light-dark()` with selectors for this attribute. */
export function applyTheme(theme: WatchLook['theme']): void {
  if (!dark) {
    dark = window.matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', showTheme);
  }
  wanted = theme;
  showTheme();
}

let dark: MediaQueryList | undefined;
let wanted: WatchLook['theme'] = 'system';

function showTheme(): void {
  const { dataset, style } = document.documentElement;
  const system = dark?.matches ? 'dark' : 'light';
  dataset.mantineColorScheme = wanted === 'system' ? system : wanted;
  style.colorScheme = wanted === 'system' ? '' : wanted;
}

/** Sets the accent colour. Text on that colour is black or white, whichever has more contrast (WCAG 2.2 §1.4.3). */
export function applyAccent(accent: string): void {
  const { style } = document.body;
  if (!/^#[0-9a-f]{6}$/i.test(accent)) {
    for (const name of ['--accent', '--on-accent', '--focus']) style.removeProperty(name);
    return;
  }
  style.setProperty('--accent', accent);
  style.setProperty('--on-accent', luminance(accent) > 0.179 ? '#000000' : '#ffffff');
  // The focus ring uses the text colour, because the operator's colour may be invisible in one theme.
  style.setProperty('--focus', 'var(--text)');
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export interface Heading {
  readonly root: HTMLElement;
  show(look: Pick<WatchLook, 'name' | 'text' | 'logo'>): void;
  showViewers(text: string): void;
}

/** Creates the heading with logo, name, live sign, viewer count and description. */
export function createHeading(sign: string): Heading {
  const root = element('div', 'heading');
  const logo = element('img', 'logo');
  const words = element('div', 'words');
  const name = element('div', 'name');
  const title = element('h1');
  const viewers = element('span', 'viewers');
  const text = element('p', 'text');
  logo.alt = '';
  name.append(title, element('span', 'sign', sign), viewers);
  words.append(name, text);
  root.append(logo, words);
  return {
    root,
    show: (look) => {
      title.textContent = look.name;
      text.textContent = look.text;
      logo.hidden = look.logo === null;
      if (look.logo !== null && logo.getAttribute('src') !== look.logo) logo.src = look.logo;
    },
    showViewers: (shown) => {
      viewers.textContent = shown;
    },
  };
}
