import { type LadderConfig, ladderConfig, storageKeys } from '@srs-stack/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { startFakeServer, testSession } from '../../testing/fake-server.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { idleWorker } from '../../testing/worker-fixture.ts';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

const task = {
  ...idleWorker,
  ...{ url: 'live/lobby', app: 'live', stream: 'lobby', playlist: '/live/lobby/master.m3u8' },
  state: 'running' as const,
  pid: 7,
  cpuPercent: 80,
  frame: { log: 'frame=1', update: '2026-03-08T12:14:58Z' },
  renditions: [
    { step: '720p', width: 1280, height: 720, fps: 30, kbps: 2_500, codecs: '', viewers: 3, isLive: true },
    { step: '480p', width: 854, height: 480, fps: 0, kbps: 0, codecs: '', viewers: 0, isLive: true },
  ],
  leftOut: [{ step: '1080p', reason: 'larger-than-source' as const }],
  speed: 0.7,
  isTooSlow: true,
};

function startServer(first: Partial<LadderConfig> = {}) {
  let config = ladderConfig.parse(first);
  const saves: LadderConfig[] = [];
  startFakeServer({
    queryLadder: () => config,
    applyLadder: ({ token: _token, ...next }) => {
      config = ladderConfig.parse(next);
      saves.push(config);
      return null;
    },
    queryLadderTasks: () => ({ tasks: config.enabled ? [task] : [] }),
    measureLadder: ({ steps = [] }) => ({
      ...{ cores: 2, isMeasuring: false, encoder: 'libx264' as const, speed: 'veryfast' as const },
      encoders: [
        { encoder: 'libx264' as const, isUsable: true, why: '' },
        { encoder: 'h264_nvenc' as const, isUsable: false, why: 'no device' },
      ],
      ...{ sourceHeight: 1_080, decodeCores: 0.1 },
      steps: steps.map(({ height, fps = 0 }) => ({ height, fps, cores: height / 1_000 })),
      proposal: { encoder: 'libx264' as const, speed: 'superfast' as const, heights: [480, 360] },
    }),
  });
  return saves;
}

const open = () => renderApp('/en/routers-scenario?tab=ladder', 'en');

test('the cost is shown before a ladder is enabled, and the proposal can be applied', async () => {
  const saves = startServer();
  await open();
  // Decoding costs 0.1 cores; the renditions cost 1.08 + 0.72 + 0.48 + 0.36 cores.
  await screen.findByText('2.74 of 2 cores per stream');
  expect(screen.getByText(/exceeds the capacity of the machine/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Use suggestion' }));
  await screen.findByText('0.94 of 2 cores per stream');
  await userEvent.click(screen.getByRole('button', { name: 'Save and switch on' }));
  await waitFor(() => expect(saves).toHaveLength(1));
  expect(saves[0]).toMatchObject({ enabled: true, speed: 'superfast', keepsSource: true });
  expect(saves[0]?.steps.map(({ height }) => height)).toEqual([480, 360]);
});

test('a running ladder shows its renditions, viewers, and that the machine is too slow', async () => {
  startServer({ enabled: true });
  await open();
  const status = within(await screen.findByRole('region', { name: 'Running now' }));
  expect(await status.findByText('live/lobby')).toBeTruthy();
  expect(status.getByText('1280×720 · 30')).toBeTruthy();
  expect(status.getByText('Running')).toBeTruthy();
  expect(status.getByText('2.5 Mbps')).toBeTruthy();
  expect(status.getByText(/is too slow \(speed 0.7×\)/)).toBeTruthy();
  expect(status.getByText(/is larger than the source/)).toBeTruthy();
  expect(status.getByText(`${location.origin}/live/lobby/master.m3u8`)).toBeTruthy();
});

test('a violated rule is reported, and nothing is saved', async () => {
  const saves = startServer();
  await open();
  const field = await screen.findByLabelText('Maximum running ladders');
  await userEvent.clear(field);
  await userEvent.type(field, '0');
  await userEvent.click(screen.getByRole('button', { name: 'Save and switch on' }));
  expect((await screen.findByRole('alert')).textContent).toContain('1 to 64');
  expect(saves).toEqual([]);
});

test('a rendition that was not measured yet has no frame rate and no bitrate', async () => {
  startServer({ enabled: true });
  await open();
  const row = (await screen.findByText('854×480')).closest('tr')!;
  expect([...row.cells].map(({ textContent }) => textContent)).toEqual(['480p', '854×480', '–', '0']);
});
