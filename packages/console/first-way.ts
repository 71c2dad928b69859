// Build step: the page for viewers starts the way it tries first before its own script runs, and names the scripts of that way, so that the
// browser fetches them beside the page's own instead of after them.
import type { Plugin, Rolldown } from 'vite';

const page = /watch\/index\.html$/;
/** The server writes what it knows of the stream in its place: what comes behind it can read that. */
const mark = '<!--preview-->';
/** Runs as soon as it is there, before the page's own. */
export const headStart = 'src/players/watch/head-start.ts';
export const firstWay = 'src/players/webrtc/whep-playback.ts';

export function firstWayFirst(): Plugin {
  let base = '/';
  return {
    name: 'first-way-first',
    apply: 'build',
    configResolved: (config) => {
      base = config.base;
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle, filename }) {
        if (!bundle || !page.test(filename)) return html;
        const [start, way] = [headStart, firstWay].map((path) => chunkOf(bundle, path));
        const preload = (name: string) => `<link rel="modulepreload" crossorigin href="${base}${name}">`;
        const address = base + start!.fileName;
        // Before all others, and not last in line because it is asynchronous.
        const first = [
          `<script type="module" async fetchpriority="high" crossorigin src="${address}"></script>`,
          ...start!.imports.map(preload),
        ];
        const beside = [way!.fileName, ...way!.imports].filter((name) => !html.includes(name)).map(preload);
        if (!html.includes(mark)) throw new Error(`the page for viewers has no ${mark}`);
        return html.replace(mark, [mark, ...first, ...beside].join('\n    '));
      },
    },
  };
}

function chunkOf(bundle: Rolldown.OutputBundle, path: string): Rolldown.OutputChunk {
  const isIt = (output: Rolldown.OutputBundle[string]): output is Rolldown.OutputChunk =>
    output.type === 'chunk' && output.moduleIds.some((id) => id.endsWith(path));
  const chunk = Object.values(bundle).find(isIt);
  if (!chunk) throw new Error(`${path} is no file of its own any more`);
  return chunk;
}
