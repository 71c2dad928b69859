import { beforeEach, expect, it } from 'vitest';
import { StreamHub } from '../../hub/stream-hub.ts';
import type { EnginePorts, StreamOrigins } from '../../ports.ts';
import type { SessionInfo } from '../../session-info.ts';
import { publisherSession, recordingLog } from '../../testing/recorders.ts';
import { admitPublisher } from './publish-gate.ts';
import { Refusals } from './refusals.ts';

const config = {
  gopCache: { maxBytes: 1e6, maxDurationMs: 30_000 },
  ...{ takeoverSilenceMs: 3_000, firstPacketTimeoutMs: 20_000, publisherTimeoutMs: 30_000 },
};
const owner = { close: () => undefined };
const log = recordingLog();

let hub: StreamHub;
let refusals: Refusals;
let hostCalls: SessionInfo[];
let released: string[];
let isElsewhere: boolean;
let onAuthorize: () => void;

beforeEach(() => {
  [hostCalls, released, isElsewhere, onAuthorize] = [[], [], false, () => undefined];
  const onRelease = ({ clientId }: SessionInfo) => void released.push(clientId);
  const slates = { ruleFor: () => undefined, onShow: () => undefined, onRelease };
  hub = new StreamHub({ config, log, clock: () => 1_000, slates });
  refusals = new Refusals(log, () => 0);
});

const main = publisherSession({ clientId: 'main', param: '?secret=x' });
const spare = publisherSession({ clientId: 'spare', param: '?secret=x&priority=2' });

function admit(session: SessionInfo) {
  const ports: Pick<EnginePorts, 'isValidStream' | 'authorizePublish' | 'onUnpublish' | 'origins'> = {
    isValidStream: ({ stream }) => !stream.includes('~'),
    authorizePublish: async (info) => {
      hostCalls.push(info);
      onAuthorize();
      if (info.param.includes('secret=x')) return { allowed: true };
      return { allowed: false, reason: 'publish-secret-wrong', detail: 'wrong' };
    },
    onUnpublish: ({ clientId }) => void released.push(clientId),
    origins: { publishedSince: () => (isElsewhere ? 1 : undefined) } as unknown as StreamOrigins,
  };
  return admitPublisher(session, owner, { hub, ports, refusals, clock: () => 1_000 });
}

const reasons = () => refusals.all().map(({ reason }) => reason);

it('calls the host with the priority while the stream has a publisher, and without it otherwise', async () => {
  expect(await admit(main)).toMatchObject({ ok: true });
  expect(await admit(spare)).toMatchObject({ ok: true });
  expect(hostCalls).toEqual([main, { ...spare, priority: 2 }]);
  hub.kick('main');
  expect(await admit({ ...spare, clientId: 'again' })).toMatchObject({ ok: true });
  expect(hostCalls.at(-1)).not.toHaveProperty('priority');
  expect(hub.isPublished(main)).toBe(true);
});

it('refuses a second main encoder, also one with an invalid priority', async () => {
  await admit(main);
  for (const param of ['?secret=x', '?secret=x&priority=abc', '?secret=x&priority=1']) {
    expect(await admit({ ...main, clientId: 'second', param })).toMatchObject({ ok: false, reason: 'stream-busy' });
  }
});

it('refuses a wrong secret, an invalid name and a second spare encoder with the same priority', async () => {
  await admit(main);
  expect(await admit({ ...spare, param: '?secret=y&priority=2' })).toMatchObject({ reason: 'publish-secret-wrong' });
  expect(await admit({ ...spare, stream: 's~2' })).toMatchObject({ reason: 'name-invalid' });
  expect(hub.spares.all()).toEqual([]);
  await admit(spare);
  const before = hostCalls.length;
  expect(await admit({ ...spare, clientId: 'second' })).toMatchObject({ reason: 'stream-busy' });
  expect(hostCalls).toHaveLength(before);
  expect(reasons().sort()).toEqual(['name-invalid', 'publish-secret-wrong', 'stream-busy']);
});

it('refuses a stream of another gateway, also one that starts there meanwhile', async () => {
  isElsewhere = true;
  expect(await admit(spare)).toMatchObject({ reason: 'stream-busy' });
  expect(hostCalls).toEqual([]);
  isElsewhere = false;
  onAuthorize = () => {
    isElsewhere = true;
  };
  expect(await admit(spare)).toMatchObject({ reason: 'stream-busy' });
  // The host had authorized the spare encoder as the publisher, so its end is reported.
  expect([released, hub.spares.all()]).toEqual([['spare'], []]);
});

it('refuses a spare encoder if the main encoder left during the call of the host: it may reconnect as the first', async () => {
  await admit(main);
  onAuthorize = () => void hub.kick('main');
  expect(await admit(spare)).toMatchObject({ reason: 'stream-busy' });
  expect(released).toEqual([]);
});
