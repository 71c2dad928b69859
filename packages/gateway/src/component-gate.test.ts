import type { Engine, SessionInfo } from '@srs-stack/engine';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SwitchedOffSessions } from './component-gate.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a viewer that was connecting when the protocol was switched off is disconnected once connected', () => {
  const off = new Set<string>();
  const playing: SessionInfo[] = [];
  const kicked: string[] = [];
  const engine = {
    clients: () => playing.map((session) => ({ session })),
    kick: (id: string) => kicked.push(id) > 0,
  } as unknown as Pick<Engine, 'clients' | 'kick'>;
  const sessions = new SwitchedOffSessions({ engine: () => engine, off: () => off, log: pino({ level: 'silent' }) });
  const session = (clientId: string, type: SessionInfo['type']): SessionInfo => ({
    ...{ vhost: '__defaultVhost__', app: 'live', stream: 'x', clientId, type, ip: '203.0.113.7' },
    ...{ param: '', tcUrl: '', pageUrl: '' },
  });
  playing.push(session('other', 'flv-play'));
  sessions.end();
  expect(vi.getTimerCount()).toBe(0);
  off.add('webrtc');
  sessions.end();
  playing.push(session('late', 'rtc-play'));
  vi.advanceTimersByTime(1_000);
  expect(kicked).toEqual(['late']);
  off.clear();
  sessions.end();
  expect(vi.getTimerCount()).toBe(0);
  off.add('webrtc');
  sessions.end();
  expect(kicked).toEqual(['late', 'late']);
  sessions.close();
  vi.advanceTimersByTime(5_000);
  expect(kicked).toEqual(['late', 'late']);
});
