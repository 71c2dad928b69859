// WHIP in, WHEP out: two browsers, load, joining and leaving, and a viewer that is killed and returns from the same
// address.
import { setTimeout as delay } from 'node:timers/promises';
import { ports } from '../conf/ports.ts';
import type { Server } from '../conf/servers.ts';
import { gopPauseMs } from './http-flv.ts';
import { isMergeVariant, type Scale, type Scenario, scaled, windowSeconds } from './scenario.ts';

export const publisherKbps = 1_000;
export const longestPublishSeconds = 300;
const restMs = 5_000;

interface Load {
  readonly id: string;
  readonly title: string;
  readonly table: string;
  readonly isQuick: boolean;
  readonly estimatedSeconds: number;
  args(scale: Scale): (string | number)[];
  /** Number of viewers, used to calculate values per viewer. */
  viewers(scale: Scale): number;
}

const suits = (server: Server): boolean =>
  server.whip !== undefined && server.whep !== undefined && !isMergeVariant(server);

function scenario({ args, viewers, ...facts }: Load): Scenario {
  return {
    ...facts,
    rounds: 1,
    suits,
    run: async (run, scale) => {
      run.record.facts = { viewers: viewers(scale), kbps: publisherKbps };
      await run.startServer();
      const url = run.address(run.server.whip);
      const publish = ['--url', url, '--kbps', publisherKbps, '--time', longestPublishSeconds];
      const publisher = run.tool('whip-pub', publish);
      await run.untilReady(publisher);
      await delay(gopPauseMs);
      const load = run.tool('whep-load', ['--url', run.address(run.server.whep), ...args(scale)]);
      await run.measure('viewers', load);
      if (facts.table === 'churn') {
        await delay(restMs);
        run.record.restMemory = run.memory();
      }
      await run.noteResult('publisher', publisher, 'stop');
    },
  };
}

function whep(viewers: number): Scenario {
  return scenario({
    id: `whep${viewers}`,
    title: `WHIP of ${publisherKbps} kbps, ${viewers} WHEP viewer${viewers > 1 ? 's' : ''}`,
    table: 'whep',
    isQuick: viewers === 1,
    estimatedSeconds: 22 + viewers / 50,
    viewers: (scale) => scaled(viewers, scale),
    args: (scale) => [
      '--viewers',
      scaled(viewers, scale),
      '--ramp',
      50,
      '--settle',
      3,
      '--time',
      windowSeconds(10, scale),
    ],
  });
}

function churn(id: string, title: string, leave: string, estimatedSeconds: number): Scenario {
  const viewers = (scale: Scale): number => scaled(150, scale);
  return scenario({
    id,
    title,
    table: 'churn',
    isQuick: false,
    estimatedSeconds,
    viewers,
    args: (scale) => ['--rounds', 5, '--viewers', viewers(scale), '--ramp', 75, '--leave', leave],
  });
}

const dead = scenario({
  id: 'dead',
  title: 'A killed viewer returns from the same address and port',
  table: 'dead',
  isQuick: false,
  estimatedSeconds: 30,
  viewers: () => 1,
  args: (scale) => ['--dead', '--port', ports.deadViewer, '--give-up', windowSeconds(40, scale) + 10],
});

const browser: Scenario = {
  id: 'browser1',
  title: 'Browser to browser: from drawing a frame to showing it (Chromium 30 fps, WHIP to WHEP)',
  table: 'browser',
  isQuick: true,
  rounds: 1,
  estimatedSeconds: 40,
  suits,
  run: async (run, scale) => {
    await run.startServer();
    const addresses = ['--whip', run.address(run.server.whip), '--whep', run.address(run.server.whep)];
    const pages = run.tool('browser-clock', [...addresses, '--time', windowSeconds(20, scale)]);
    await run.measure('browser', pages);
  },
};

const wholeSessions = 20_000;

const sessions: Scenario = {
  id: 'sessions',
  title: `${wholeSessions.toLocaleString('en')} WHEP sessions are opened and closed: what the server can do before and after`,
  table: 'sessions',
  isQuick: false,
  isLong: true,
  rounds: 1,
  estimatedSeconds: 420,
  suits: (server) => server.isProduct && !isMergeVariant(server),
  run: async (run, scale) => {
    const count = scaled(wholeSessions, scale);
    run.record.facts = { sessions: count };
    await run.startServer();
    const load = run.tool('rtc-sessions', [
      ...['--url', run.address(run.server.whep), '--sessions', count, '--pid', run.mediaPid],
    ]);
    await run.measure('sessions', load);
  },
};

export const webrtcScenarios = [
  browser,
  whep(1),
  whep(100),
  whep(200),
  churn('churn', '5 × 150 viewers join and leave by DELETE', 'delete', 45),
  churn('churnkill', '5 × 150 viewers join and are killed', 'kill', 60),
  dead,
  sessions,
];
