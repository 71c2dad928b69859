// Builds the console as a single-page app, and the player pages as separate pages.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { drawLoginPage } from './draw-login-page.ts';
import { firstLoadBudget } from './first-load-budget.ts';
import { firstWay, firstWayFirst } from './first-way.ts';
import { precompress } from './precompress.ts';
import { playerChunk, startedChunks } from './started-chunks.ts';

const root = import.meta.dirname;
const base = '/mgmt/';
/** Watch and player pages. A proxy may publish these pages below a path, so their `<base>` points to the server's root. */
const pageOfViewers = /^(?:tools|players|watch)\//;
/** Server that provides API and media to the development console. */
const backend = process.env.CONSOLE_BACKEND ?? 'http://127.0.0.1:2022';
const pages = ['index.html', ...globSync('{tools,players,console,watch}/*.html', { cwd: root })];

/**
 * Shared chunks. By default, every module shared by two pages becomes a separate file, and the login page would need dozens of requests.
 */
const sharedChunks = [
  // Code that runs before the app.
  { name: 'first-paint', test: /\/src\/first-paint\/drawn-login\.ts$|vite\/(?:preload-helper|modulepreload-polyfill)/ },
  {
    name: 'base',
    test: /node_modules\/(react|react-dom|scheduler|react-router|@tanstack|i18next|react-i18next|html-parse-stringify|void-elements|use-sync-external-store|clsx|@mantine\/hooks)\//,
  },
  { name: 'icons', test: /node_modules\/@tabler\//, minShareCount: 2 },
  {
    name: 'components',
    test: /@mantine\/core\/esm\/(core|components\/(Button|UnstyledButton|Input|InputBase|TextInput|InlineInput|Checkbox|Loader|Text|Anchor))\//,
  },
  // Player pages load these constants without the code of the app.
  { name: 'watch-paths', test: /\/contract\/src\/(?:watch-paths|storage-keys|constants)\.ts$/ },
  { name: startedChunks(join(root, 'src/start.tsx')), debugName: 'started' },
  {
    name: playerChunk(['src/players/watch/watch-page.ts', firstWay].map((path) => join(root, path))),
    debugName: 'player',
    minShareCount: 2,
  },
];

export default defineConfig({
  root,
  base,
  experimental: {
    renderBuiltUrl: (file, { hostType, hostId }) => {
      if (hostType !== 'html') return { relative: true };
      return (pageOfViewers.test(hostId) ? base.slice(1) : base) + file;
    },
  },
  plugins: [react(), playerPages(), firstLoadBudget(), drawLoginPage(), firstWayFirst(), precompress()],
  server: {
    port: 5173,
    proxy: {
      '/terraform': backend,
      '/api': backend,
      '/rtc': backend,
      '^/(?!mgmt/)[^?]+\\.(flv|m3u8|ts|m4s|aac|mp3)($|\\?)': { target: backend, ws: true },
    },
  },
  build: {
    outDir: join(root, 'dist'),
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: { codeSplitting: { groups: sharedChunks } },
      input: Object.fromEntries(
        pages.map((page) => [page.replace(/\.html$/, '').replaceAll('/', '-'), join(root, page)]),
      ),
    },
  },
});

/** Adds the base path to `/tools/`, `/players/`, `/console/` and `/watch/`, which the development server has below this path. */
function playerPages(): Plugin {
  return {
    name: 'player-pages',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use((req, _res, next) => {
        if (/^\/(tools|players|console|watch)\//.test(req.url ?? '')) req.url = `/mgmt${req.url}`;
        next();
      });
    },
  };
}
