// Shows all screenshots on one sheet, `index.html`: a row for each state, a column for each language, size and theme.
// A run that draws only some pages keeps the rows of all other pages.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locale } from '@srs-stack/contract';
import type { GalleryArea } from './gallery-page.ts';
import type { Size, Theme } from './sizes.ts';

export interface Picture {
  readonly state: string;
  readonly locale: Locale;
  readonly size: Size;
  readonly theme: Theme;
  readonly file: string;
}

interface DrawnPage {
  readonly pictures: readonly Picture[];
  readonly problems: readonly string[];
}

const listFile = (folder: string, page: string) => join(folder, page, 'drawn.json');

/** Removes the screenshots of a page. */
export function clearPage(folder: string, page: string): void {
  rmSync(join(folder, page), { recursive: true, force: true });
  mkdirSync(join(folder, page), { recursive: true });
}

export function keepPage(folder: string, page: string, drawn: DrawnPage): void {
  writeFileSync(listFile(folder, page), JSON.stringify(drawn, null, 1));
}

export function writeContactSheet(folder: string, areas: readonly GalleryArea[]): void {
  const sections = areas.map(({ title, pages }) => {
    const drawn = pages.filter(({ id }) => existsSync(listFile(folder, id)));
    return { title, pages: drawn.map(({ id, path }) => ({ id, path, ...drawnPage(folder, id) })) };
  });
  const menu = sections.map(({ title, pages }) => {
    const links = pages.map(({ id }) => `<a href="#${id}">${escapeHtml(id)}</a>`);
    return `<p><b>${escapeHtml(title)}</b> ${links.join(' ')}</p>`;
  });
  const body = sections.map(({ title, pages }) => {
    const rows = pages.map(({ id, path, pictures, problems }) => {
      const head = `<h3 id="${id}">${escapeHtml(id)} <code>${escapeHtml(path)}</code></h3>${problems.map((problem) => `<p class="problem">${escapeHtml(problem)}</p>`).join('')}`;
      return head + [...new Set(pictures.map(({ state }) => state))].map((state) => rowOf(state, pictures)).join('');
    });
    return `<h2>${escapeHtml(title)}</h2>${rows.join('')}`;
  });
  const count = sections.flatMap(({ pages }) => pages.flatMap(({ pictures }) => pictures)).length;
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Gallery of the console</title><style>${style}</style>
<header><h1>Gallery of the console</h1><p>${count} pictures</p><nav>${menu.join('')}</nav></header>
<main>${body.join('\n')}</main></html>`;
  writeFileSync(join(folder, 'index.html'), html);
}

function drawnPage(folder: string, page: string): DrawnPage {
  return JSON.parse(readFileSync(listFile(folder, page), 'utf8')) as DrawnPage;
}

function rowOf(state: string, pictures: readonly Picture[]): string {
  const figures = pictures
    .filter((picture) => picture.state === state)
    .map(
      ({ file, locale, size, theme }) =>
        `<figure class="${size} ${theme}"><a href="${encodeURI(file)}"><img src="${encodeURI(file)}" loading="lazy" decoding="async" alt="${escapeHtml(state)}"></a><figcaption>${locale} · ${size} · ${theme}</figcaption></figure>`,
    );
  return `<section><h4>${escapeHtml(state)}</h4>${figures.join('')}</section>`;
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const style = `
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
body { margin: 0; background: light-dark(#f3f4f4, #101414); color: light-dark(#172020, #e4eaea); }
header, main { padding: 16px 28px; } header { border-bottom: 1px solid light-dark(#d5dada, #2a3232); }
h1 { margin: 0; font-size: 22px; } nav p { margin: 2px 0; } nav a { margin-left: 8px; }
h2 { margin: 40px 0 0; font-size: 20px; } h3 { margin: 24px 0 4px; font-size: 16px; scroll-margin-top: 12px; }
a { color: inherit; } .problem { margin: 4px 0; color: light-dark(#b3261e, #ff9d94); overflow-wrap: anywhere; } code { font-size: 12px; font-weight: 400; opacity: .7; }
section { display: flex; gap: 14px; align-items: flex-start; padding: 10px 0 18px; overflow-x: auto; }
h4 { position: sticky; left: 0; flex: none; width: 130px; margin: 0; font-weight: 500; }
figure { flex: none; margin: 0; } figcaption { padding-top: 4px; font-size: 12px; opacity: .75; }
figure a { display: block; height: 320px; overflow: hidden; border-radius: 8px; border: 1px solid light-dark(#c6cdcd, #364040); }
img { display: block; width: 100%; min-height: 100%; object-fit: cover; object-position: top; background: light-dark(#e2e6e6, #1b2222); }
.phone a { width: 150px; } .desktop a { width: 512px; }`;
