// Measures how many signed links one core verifies per second. The gateway verifies a link for every viewer and HLS request.
// Run: node bench/watch-rights.ts
import { cpuUsage } from 'node:process';
import { signLink } from '@srs-stack/playback/access/watch-link.ts';
import { WatchRights } from '@srs-stack/playback/access/watch-rights.ts';

const rounds = 5;
const linksPerRound = 200_000;
/** Number of streams, requested in turn: with a single stream, a cache would improve the result. */
const streams = 500;
const nowMs = 1_800_000_000_000;

const key = { id: 'k1', secret: 'x'.repeat(43) };
const rules = Array.from({ length: 100 }, (_, index) => ({
  ...({ pattern: `live/${index}*`, mode: 'signed', passwordVersion: '' } as const),
}));
const rights = new WatchRights({ rules, keys: [key], serverSecret: 's' });
const requests = Array.from({ length: streams }, (_, index) => {
  const stream = `${index}-camera`;
  const value = signLink({ key, pattern: `live/${stream}`, expires: nowMs / 1000 + 60 });
  return { app: 'live', stream, ip: '203.0.113.7', param: `?hls_ctx=abcd1234&watch=${value}` };
});

const perSecond: number[] = [];
for (let round = 0; round < rounds; round++) {
  const before = cpuUsage();
  for (let index = 0; index < linksPerRound; index++) {
    const { kind } = rights.judge(requests[index % streams]!, nowMs);
    if (kind !== 'granted') throw new Error(`a valid signed link was judged as ${kind}`);
  }
  const { user, system } = cpuUsage(before);
  perSecond.push(Math.round(linksPerRound / ((user + system) / 1e6)));
}
perSecond.sort((a, b) => a - b);
console.log(
  `signed links judged per second and core: median ${perSecond[Math.floor(rounds / 2)]}, of ${rounds} rounds`,
);
