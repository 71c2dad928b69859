import { expect, test, vi } from 'vitest';
import type { PlaybackEvents } from '../playback.ts';
import type { Engine } from '../stage-player.ts';

const player = vi.hoisted(() => ({ engine: undefined as Engine | undefined }));
const way = vi.hoisted(() => ({ events: undefined as PlaybackEvents | undefined }));

vi.mock('../stage-player.ts', () => ({
  createStagePlayer: ({ engine }: { engine: Engine }) => {
    player.engine = engine;
    const root = document.createElement('section');
    const frame = document.createElement('div');
    root.append(frame);
    return { stage: { root, frame, showMessage: () => undefined }, open: () => undefined, close: () => undefined };
  },
}));
vi.mock('./best-way.ts', () => ({
  bestWay: () => async (events: PlaybackEvents) => {
    way.events = events;
    return {};
  },
}));

test('after a viewer selects another protocol, the password form disappears, and one form appears again', async () => {
  history.replaceState(null, '', '/watch/live/x');
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const isAccess = String(input).endsWith('/watch/access');
    return Response.json(isAccess ? { data: { mode: 'password' } } : { data: {} });
  });
  vi.stubGlobal('reportError', (error: unknown) => expect.unreachable(String(error)));
  await import('./watch-page.ts');
  const source = { kind: 'flv', url: '/live/x.flv' } as const;
  const events = { onFacts: () => undefined, onProblem: () => undefined };
  const forms = () => document.querySelectorAll('form.password');
  for (let time = 0; time < 2; time++) {
    await player.engine?.(document.createElement('div'), source, 'en')(events);
    way.events?.onProblem({ kind: 'not-allowed' });
    await vi.waitFor(() => expect(forms()).toHaveLength(1));
    document.querySelector('.way select')?.dispatchEvent(new Event('change'));
    expect(forms()).toHaveLength(0);
  }
});
