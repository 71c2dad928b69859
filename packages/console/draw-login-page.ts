// Build step: writes a console page per language that already contains the rendered login page (`drawn/<language>.html`).
// The login page is then visible before the scripts have loaded. The gateway sends these pages once an admin password is set.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type Plugin, type ResolvedConfig, type Rolldown } from 'vite';
import type { DrawnPage } from './src/first-paint/draw-login.tsx';

/** Matches the module that every page loads first. */
const started = /src\/start\.tsx$/;
/** Matches the module of the login page, which is fetched together with the pre-rendered page. */
const opened = /features\/login\/login-page\.tsx$/;

/** Vite plugin that writes the pre-rendered pages after the bundle. */
export function drawLoginPage(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'draw-login-page',
    apply: 'build',
    configResolved: (resolved) => {
      config = resolved;
    },
    writeBundle: {
      order: 'pre',
      sequential: true,
      async handler({ dir }, bundle) {
        const path = join(dir!, 'index.html');
        const bare = withLinks(await readFile(path, 'utf8'), closureOf(started, bundle), config.base);
        await writeFile(path, bare);
        const withLogin = withLinks(bare, closureOf(opened, bundle), config.base);
        const texts = textsOfLogin(bundle);
        await mkdir(join(dir!, 'drawn'), { recursive: true });
        const pages = await draw(config);
        const styles = stylesOf(bundle);
        for (const page of pages) {
          const unknown = classesOf(page.html).filter((name) => !styles.includes(`.${name}`));
          if (unknown.length > 0) this.error(`the drawn login page has classes without rules: ${unknown.join(' ')}`);
          const linked = withLinks(withLogin, { scripts: texts.get(page.locale) ?? [], styles: [] }, config.base);
          const html = insertDrawn(linked, page, pages.find(({ isDefault }) => isDefault)!.locale, config.base);
          await writeFile(join(dir!, 'drawn', `${page.locale}.html`), html);
          if (page.isDefault) await writeFile(join(dir!, 'drawn', 'index.html'), html);
        }
      },
    },
  };
}

/** Renders the login page in every language. A separate small build compiles its TSX components and style modules. */
async function draw({ root, base }: ResolvedConfig): Promise<DrawnPage[]> {
  const outDir = await mkdtemp(join(tmpdir(), 'srs-stack-drawn-'));
  try {
    await build({
      configFile: false,
      root,
      base,
      logLevel: 'error',
      plugins: [react()],
      ssr: { noExternal: true, target: 'webworker' },
      build: {
        ssr: 'src/first-paint/draw-login.tsx',
        outDir,
        minify: false,
        copyPublicDir: false,
        rolldownOptions: { output: { entryFileNames: 'draw.mjs', codeSplitting: false } },
      },
    });
    const { drawLogin } = await import(pathToFileURL(join(outDir, 'draw.mjs')).href);
    return await drawLogin(base.replace(/\/$/, ''));
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

interface Links {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/** Scripts and styles that a module imports statically. */
function closureOf(module: RegExp, bundle: Rolldown.OutputBundle): Links {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  const first = chunks.find(({ facadeModuleId }) => facadeModuleId !== null && module.test(facadeModuleId));
  if (!first) throw new Error(`the build has no chunk of ${module}`);
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const add = (name: string) => {
    const output = bundle[name];
    if (scripts.has(name) || output?.type !== 'chunk') return;
    for (const imported of output.imports) add(imported);
    scripts.add(name);
    for (const style of output.viteMetadata?.importedCss ?? []) styles.add(style);
  };
  add(first.fileName);
  return { scripts: [...scripts], styles: [...styles] };
}

function textsOfLogin(bundle: Rolldown.OutputBundle): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const output of Object.values(bundle)) {
    if (output.type !== 'chunk' || !output.facadeModuleId) continue;
    const found =
      /(?:common|login)\/locales\/([^/]+)\.json$/.exec(output.facadeModuleId) ??
      /i18n\/languages\/([^/]+)\/(?:common|login)\.json$/.exec(output.facadeModuleId);
    if (found) texts.set(found[1]!, [...(texts.get(found[1]!) ?? []), output.fileName]);
  }
  return texts;
}

function withLinks(html: string, { scripts, styles }: Links, base: string): string {
  const links = [
    ...scripts.map((name) => `<link rel="modulepreload" crossorigin href="${base}${name}">`),
    ...styles.map((name) => `<link rel="stylesheet" crossorigin href="${base}${name}">`),
  ].filter((link) => !html.includes(link.slice(link.indexOf('href='))));
  return html.replace('</head>', `${links.map((link) => `    ${link}\n`).join('')}  </head>`);
}

function insertDrawn(html: string, page: DrawnPage, defaultLocale: string, base: string): string {
  const about = `lang="${page.htmlLang}" data-locale="${page.locale}" data-default-locale="${defaultLocale}"`;
  return html
    .replace(/<html [^>]*>/, () => `<html ${about}>`)
    .replace('</title>', () => `</title>\n    <script src="${base}drawn-login.js"></script>`)
    .replace('<div id="root"></div>', () => `<div id="root"></div>\n    <div id="drawn">${page.html}</div>`);
}

function stylesOf(bundle: Rolldown.OutputBundle): string {
  const sheets = Object.values(bundle).filter(({ fileName }) => fileName.endsWith('.css'));
  return sheets.map((sheet) => (sheet.type === 'asset' ? String(sheet.source) : '')).join('\n');
}

/** Class names of style modules in the page. Class names of Mantine are omitted, because some have no CSS rule. */
function classesOf(html: string): string[] {
  const names = [...html.matchAll(/class="([^"]*)"/g)].flatMap(([, value]) => value!.split(/\s+/));
  return [...new Set(names)].filter((name) => name.startsWith('_'));
}
