// Build step: adds an inline script to the watch page. The script starts WebRTC playback before other scripts load.
// The page also preloads the scripts of WebRTC playback, in parallel with its other scripts.
import { join } from 'node:path';
import { build, type Plugin, type ResolvedConfig, type Rolldown } from 'vite';

const page = /watch\/index\.html$/;
/**
 * The script is inserted after this element of the built page.
 * The server inserts the data of the stream and another `<base>` before it. Browsers use the first `<base>` of a page.
 */
const mark = '<base href="/" />';
const headStart = 'src/players/watch/head-start.ts';
export const firstWay = 'src/players/webrtc/whep-playback.ts';

export function firstWayFirst(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'first-way-first',
    apply: 'build',
    configResolved: (resolved) => {
      config = resolved;
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle, filename }) {
        if (!bundle || !page.test(filename)) return html;
        if (!html.includes(mark)) throw new Error(`the watch page has no ${mark}`);
        const way = chunkOf(bundle, firstWay);
        const beside = [way.fileName, ...way.imports].filter((name) => !html.includes(name));
        const preloads = beside.map(
          (name) => `<link rel="modulepreload" crossorigin href="${config.base.slice(1)}${name}">`,
        );
        // The server's Content-Security-Policy allows the script by its digest: see `inlineScriptSources` of the gateway.
        const first = `<script>${await headStartOf(config)}</script>`;
        return html.replace(mark, () => [mark, first, ...preloads].join('\n    '));
      },
    },
  };
}

/** Bundles the inline script with everything that the script imports. */
async function headStartOf({ root, build: { target } }: ResolvedConfig): Promise<string> {
  const built = await build({
    configFile: false,
    root,
    logLevel: 'error',
    build: {
      write: false,
      target,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: join(root, headStart), output: { format: 'iife' } },
    },
  });
  const { output } = (Array.isArray(built) ? built[0] : built) as Rolldown.RolldownOutput;
  const { code } = output[0];
  if (output.length > 1 || /<\/script|<!--/i.test(code)) throw new Error(`${headStart} cannot be part of a page`);
  return code.trim();
}

function chunkOf(bundle: Rolldown.OutputBundle, path: string): Rolldown.OutputChunk {
  const isIt = (output: Rolldown.OutputBundle[string]): output is Rolldown.OutputChunk =>
    output.type === 'chunk' && output.moduleIds.some((id) => id.endsWith(path));
  const chunk = Object.values(bundle).find(isIt);
  if (!chunk) throw new Error(`${path} is no longer a separate file`);
  return chunk;
}
