// All pictures of a page side by side: one HTML file per page, and an index of all pages.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Picture {
  readonly state: string;
  /** e.g. `zh-phone-dark`. */
  readonly variant: string;
  /** File name in the gallery's folder. */
  readonly file: string;
}

const style = `
  body { margin: 24px; background: #777; color: #fff; font: 14px system-ui, sans-serif; }
  section { display: flex; gap: 12px; align-items: flex-start; margin: 8px 0 28px; }
  figure { margin: 0; } img { display: block; width: 100%; } figcaption { padding: 2px 0; }
  figure.phone { width: 140px; } figure.desktop { width: 420px; } a { color: inherit; }`;

/** Writes `{page}.html`; returns its name. */
export function writeContactSheet(folder: string, page: string, pictures: readonly Picture[]): string {
  const states = [...new Set(pictures.map(({ state }) => state))];
  const sections = states.map((state) => {
    const figures = pictures
      .filter((picture) => picture.state === state)
      .map(({ variant, file }) => {
        const size = variant.includes('phone') ? 'phone' : 'desktop';
        return `<figure class="${size}"><a href="${file}"><img src="${file}" alt=""></a><figcaption>${variant}</figcaption></figure>`;
      });
    return `<h2>${state}</h2><section>${figures.join('')}</section>`;
  });
  return write(folder, page, sections.join('\n'));
}

export function writeIndex(folder: string, sheets: readonly string[]): void {
  const links = [...sheets].sort().map((sheet) => `<li><a href="${sheet}">${sheet.replace('.html', '')}</a></li>`);
  write(folder, 'index', `<ul>${links.join('')}</ul>`);
}

function write(folder: string, name: string, body: string): string {
  const html = `<!doctype html><meta charset="utf-8"><title>${name}</title><style>${style}</style><h1>${name}</h1>${body}`;
  writeFileSync(join(folder, `${name}.html`), html);
  return `${name}.html`;
}
