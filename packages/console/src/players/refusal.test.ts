import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Playback, StartPlayback } from './playback.ts';
import { createStagePlayer, type StagePlayer } from './stage-player.ts';

let player: StagePlayer | undefined;
let mode = 'open';
const opened: string[] = [];

beforeEach(() => {
  opened.length = 0;
  vi.stubGlobal('reportError', (error: unknown) => expect.unreachable(String(error)));
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    if (path.endsWith('/watch/access')) return Response.json({ data: { mode } });
    const isRight = JSON.parse(String(init.body)).password === 'sesame';
    return Response.json({ data: isRight ? { query: 'watch=V.1.2' } : {} }, { status: isRight ? 200 : 401 });
  });
});
afterEach(() => {
  player?.close();
  player?.stage.root.remove();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

/** Opens a page that plays only addresses with the query `opensWith`. */
function open(address: string, opensWith = 'never'): HTMLElement {
  const playback: Playback = { video: document.createElement('video'), latency: () => undefined, destroy: () => {} };
  player = createStagePlayer({
    locale: 'en',
    hlsPage: (url) => url,
    engine: (_frame, source): StartPlayback => {
      return async ({ onProblem }) => {
        opened.push(source.url);
        if (!source.url.includes(opensWith)) queueMicrotask(() => onProblem({ kind: 'not-allowed' }));
        return playback;
      };
    },
  });
  document.body.append(player.stage.root);
  player.open(address);
  return player.stage.root;
}

const overlayText = (root: HTMLElement) => root.querySelector('.overlay')?.textContent ?? '';

test('a stream with a password shows the field; the right password plays the stream, a wrong one is reported', async () => {
  mode = 'password';
  const root = open('/live/locked.flv?watch=old&a=1', 'watch=V.1.2');
  await vi.waitFor(() => expect(root.querySelector('form.password')).not.toBeNull());
  const field = root.querySelector<HTMLInputElement>('form.password input')!;
  expect(document.activeElement).toBe(field);
  await userEvent.type(field, 'wrong{Enter}');
  await vi.waitFor(() => expect(root.textContent).toContain('Wrong password'));
  await userEvent.clear(field);
  await userEvent.type(field, 'sesame{Enter}');
  await vi.waitFor(() => expect(root.querySelector('form.password')).toBeNull());
  await vi.waitFor(() => expect(opened.at(-1)).toBe(`${location.origin}/live/locked.flv?a=1&watch=V.1.2`));
});

test.each([
  ['signed', '/live/x.m3u8', 'This stream requires a link'],
  ['signed', '/live/x.flv?watch=k1.1.2', 'The link is not valid for this stream'],
  ['verdict', '/live/x.flv', 'Not allowed to watch'],
  ['open', '/live/x.flv', 'The server refused to play'],
])('the rule "%s" and the address %s: %s', async (rule, address, text) => {
  mode = rule;
  const root = open(address);
  await vi.waitFor(() => expect(overlayText(root)).toContain(text));
  expect(root.querySelector<HTMLElement>('.overlay a')?.hidden).toBe(true);
  expect(root.querySelector('form.password')).toBeNull();
});

test('the rules of this server do not apply to a stream of another one', async () => {
  mode = 'password';
  const root = open('https://other.example/live/x.flv');
  await vi.waitFor(() => expect(overlayText(root)).toContain('The server refused to play'));
  expect(root.querySelector('form.password')).toBeNull();
});
