import { afterEach, expect, it, vi } from 'vitest';
import { recordingLog } from '../testing/recorders.ts';

afterEach(() => vi.unstubAllEnvs());

async function open(config: object) {
  vi.resetModules();
  const { openRtcTransport } = await import('./open-rtc-transport.ts');
  const log = recordingLog();
  const transport = await openRtcTransport({ host: '127.0.0.1', port: 0, candidates: [], ...config }, log);
  transport.close();
  return { kind: transport.constructor.name, log };
}

it('uses the library where the addon cannot be loaded, and logs the reason in one line', async () => {
  vi.stubEnv('SRS_STACK_RTC_ADDON', '/nonexistent.node');
  const { kind, log } = await open({});
  expect(kind).not.toBe('RtcPortTransport');
  expect(log.lines).toEqual([expect.stringMatching(/^warn WebRTC uses node-datachannel/)]);
  expect(log.fields).toEqual([{ problem: expect.stringContaining('nonexistent') }]);
});

it('uses the addon without a log line', async () => {
  const { kind, log } = await open({});
  expect(kind).toBe('RtcPortTransport');
  expect(log.lines).toEqual([]);
});

it('uses the library if configured, without a log line', async () => {
  vi.stubEnv('SRS_STACK_RTC_ADDON', '/nonexistent.node');
  const { log } = await open({ transport: 'node-datachannel' });
  expect(log.lines).toEqual([]);
});
