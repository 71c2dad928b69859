// Finds the addresses of the console in its sources: screens, and tabs in the query. Detects pages without an entry in the gallery.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { GalleryPage } from './gallery-page.ts';

const source = fileURLToPath(new URL('../../packages/console/', import.meta.url));
const read = (file: string) => readFileSync(`${source}${file}`, 'utf8');

/** Every address in its shortest form: `routers-settings`, `routers-scenario?tab=live`, `/tools/player.html`. */
function consoleRoutes(): string[] {
  const paths = /const screens = \{([^}]+)\}/.exec(read('src/navigation/paths.ts'))?.[1] ?? '';
  const screens = [...paths.matchAll(/'([\w-]+)'/g)].map(([, segment]) => segment!);
  const tabbed = globSync('src/{app,features}/**/*.tsx', { cwd: source }).flatMap((file) => tabsOf(file));
  const pages = globSync('{tools,players,console}/*.html', { cwd: source }).map((file) => `/${file}`);
  return [...screens, ...tabbed, ...pages];
}

/** Tabs of a file that calls `useQueryTab('tab', settingsTabs, …)`. The list is in this file or in an imported file. */
function tabsOf(file: string): string[] {
  const code = read(file);
  return [...code.matchAll(/useQueryTab\('(\w+)',\s*(\w+)/g)].flatMap(([, parameter, list]) => {
    const from = new RegExp(`\\b${list}\\b[^;]*from '([^']+)'`).exec(code)?.[1];
    const declaring = from ? read(new URL(from, `file:///${file}`).pathname.slice(1)) : code;
    const values = new RegExp(`const ${list}[^=]*= \\[([^\\]]+)\\]`).exec(declaring)?.[1] ?? '';
    return [...values.matchAll(/'([\w-]+)'/g)].map(([, value]) => `?${parameter}=${value}`);
  });
}

/** Addresses that no gallery entry opens. An entry opens a tab only if its path contains the query parameter. */
export function routesWithout(pages: readonly GalleryPage[], routes = consoleRoutes()): string[] {
  const opened = pages.flatMap(({ path, states }) => [path, ...states.flatMap((state) => state.path ?? [])]);
  return routes.filter((route) => {
    if (!route.startsWith('?')) return !opened.some((path) => path.split('?')[0] === route);
    return !opened.some((path) => path.split(/[?&]/).slice(1).includes(route.slice(1)));
  });
}
