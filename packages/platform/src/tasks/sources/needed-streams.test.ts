import type { ForwardTarget } from '@srs-stack/contract';
import { beforeEach, expect, it } from 'vitest';
import { createNeededStreams, type NamedStream } from './needed-streams.ts';

let nowMs: number;
let reads: string[];
let targets: Record<string, ForwardTarget>;
let shown: Set<string>;
let needs: (stream: NamedStream) => Promise<boolean>;

const live = (stream: string): NamedStream => ({ app: 'live', stream });
const forwardOf = (stream: string, enabled = true) => ({ enabled, stream }) as ForwardTarget;

beforeEach(() => {
  nowMs = 0;
  reads = [];
  targets = {};
  shown = new Set();
  needs = createNeededStreams({
    isRecorded: ({ stream }) => stream === 'recorded',
    slates: { isBackup: ({ stream }) => stream === 'backup' },
    channels: {
      shownStreams: async () => {
        reads.push('channels');
        return shown;
      },
    },
    forwards: {
      targets: async () => {
        reads.push('forwards');
        return targets;
      },
    },
    clock: () => nowMs,
  });
});

it('needed streams are those that are recorded, used as a backup, shown on a channel, or forwarded by name', async () => {
  shown = new Set(['live/on-channel']);
  targets = { a: forwardOf('forwarded'), b: forwardOf('off', false), newest: forwardOf('') };
  const names = ['recorded', 'backup', 'on-channel', 'forwarded', 'off', 'other'];
  const needed = await Promise.all(names.map((name) => needs(live(name))));
  expect(needed).toEqual([true, true, true, true, false, false]);
  expect(await needs({ app: 'other', stream: 'on-channel' })).toBe(false);
});

it('needed streams are read once for the plans of many cameras, and again a second later', async () => {
  const plan = () => Promise.all(Array.from({ length: 64 }, (_, index) => needs(live(`camera-${index}`))));
  await plan();
  await plan();
  expect(reads).toEqual(['channels', 'forwards']);
  targets = { a: forwardOf('camera-7') };
  nowMs = 1_000;
  expect((await plan()).indexOf(true)).toBe(7);
  expect(reads).toHaveLength(4);
});

it('needed streams are read again after a failure of the store', async () => {
  const failing = createNeededStreams({
    isRecorded: () => false,
    slates: { isBackup: () => false },
    channels: {
      shownStreams: () => (reads.push('channels') === 1 ? Promise.reject(new Error('down')) : Promise.resolve(shown)),
    },
    forwards: { targets: async () => targets },
    clock: () => nowMs,
  });
  await expect(failing(live('a'))).rejects.toThrow('down');
  expect(await failing(live('a'))).toBe(false);
});
