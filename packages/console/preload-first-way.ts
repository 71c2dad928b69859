// Build step: the page for viewers names the script of the way it tries first, so that the browser fetches it beside the page's own
// instead of after it.
import type { Plugin, Rolldown } from 'vite';

const page = /watch\/index\.html$/;
const firstWay = /\/players\/webrtc\/whep-playback\.ts$/;

export function preloadFirstWay(): Plugin {
  let base = '/';
  return {
    name: 'preload-first-way',
    apply: 'build',
    configResolved: (config) => {
      base = config.base;
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle, filename }) {
        if (!bundle || !page.test(filename)) return html;
        const chunk = Object.values(bundle).find(isFirstWay);
        if (!chunk) throw new Error('the script of WHEP is no file of its own any more');
        const names = [chunk.fileName, ...chunk.imports].filter((name) => !html.includes(name));
        return {
          html,
          tags: names.map((name) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: base + name },
            injectTo: 'head' as const,
          })),
        };
      },
    },
  };
}

function isFirstWay(output: Rolldown.OutputBundle[string]): output is Rolldown.OutputChunk {
  return output.type === 'chunk' && output.moduleIds.some((id) => firstWay.test(id));
}
