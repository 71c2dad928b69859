import { expect, test } from 'vitest';
import { defaultWaitSeconds, maxWaitSeconds, readDrainOptions, tasksText, waitUntilDrained } from './drain-wait.ts';

type Connected = Parameters<typeof waitUntilDrained>[0]['connected'];
const state = (connected: Connected, tasksRunning = 0) => ({
  draining: true,
  since: '2026-01-02T03:04:05.000Z',
  connected,
  tasksRunning,
});

async function drain(responses: Connected[], waitSeconds: number) {
  const lines: string[] = [];
  let nowMs = 0;
  const looks = responses.slice(1).values();
  const hasLeft = await waitUntilDrained(state(responses[0] ?? null), waitSeconds, {
    look: async () => state(looks.next().value ?? responses.at(-1) ?? null),
    say: (line) => lines.push(line),
    nowMs: () => nowMs,
    pause: async (ms) => {
      nowMs += ms;
    },
  });
  return { hasLeft, lines, nowMs };
}

test('waits until no client is connected, and reports changes', async () => {
  const two = { publishers: 1, viewers: 2 };
  const { hasLeft, lines, nowMs } = await drain(
    [two, two, { publishers: 0, viewers: 1 }, { publishers: 0, viewers: 0 }],
    60,
  );
  expect(hasLeft).toBe(true);
  expect(nowMs).toBe(3_000);
  expect(lines).toEqual([
    '1 publisher and 2 viewers connected, 60 s left.',
    '0 publishers and 1 viewer connected, 58 s left.',
    'No clients are connected: the server can be stopped.',
  ]);
});

test('waits at most the given time, also while the media server is unavailable', async () => {
  const late = await drain([{ publishers: 0, viewers: 7 }], 2);
  expect(late).toMatchObject({ hasLeft: false, nowMs: 2_000 });
  expect(late.lines.at(-1)).toBe(
    '0 publishers and 7 viewers connected after 2 s: stopping the server disconnects them.',
  );
  expect((await drain([null], 1)).lines.at(-1)).toMatch(/^The media server does not respond after 1 s/);
  expect(await drain([{ publishers: 1, viewers: 0 }], 0)).toMatchObject({ hasLeft: false, nowMs: 0 });
});

test('reports tasks that end with the server', () => {
  expect(tasksText(state(null))).toBe('No task runs on this server.');
  expect(tasksText(state(null, 2))).toBe('2 tasks of this server run until it is stopped.');
});

test.each([
  [[], { undo: false, waitSeconds: defaultWaitSeconds }],
  [['--undo'], { undo: true, waitSeconds: defaultWaitSeconds }],
  [['--wait', '20'], { undo: false, waitSeconds: 20 }],
  [['--wait=0'], { undo: false, waitSeconds: 0 }],
])('options %j', (args, expected) => expect(readDrainOptions(args)).toEqual(expected));

test.each([[['--wait']], [['--wait', '-1']], [['--wait', `${maxWaitSeconds + 1}`]], [['20']], [['--stop']]])(
  'options %j are refused',
  (args) => expect(() => readDrainOptions(args)).toThrow(/--wait/),
);
