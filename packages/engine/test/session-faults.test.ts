// A bug in the handlers of a session ends only this session and is reported to the host.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeHello, writePublishCalls } from '@srs-stack/media/protocols/rtmp/testing/wire-client.ts';
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RtcPublishSession } from '../src/sessions/rtc/rtc-publish-session.ts';
import { publisherSession } from '../src/testing/recorders.ts';
import type { RtcPeer, RtcPeerEvents, RtcTransport } from '../src/webrtc-transport/webrtc-transport.ts';
import { openGate } from './gate-rig.ts';
import { RtmpPeer } from './rtmp-peer.ts';
import { type RtmpServer, startRtmpServer, until } from './rtmp-server.ts';

const bug = new Error('planted');
const keyOf = (stream: string) => ({ vhost: defaultVhost, app: 'live', stream });

async function publishOverRtmp(server: RtmpServer, stream: string): Promise<RtmpPeer> {
  const peer = new RtmpPeer(server.port);
  onTestFinished(() => peer.close());
  peer.send(writeHello(), writePublishCalls(stream));
  await until(() => server.hub.isPublished(keyOf(stream)));
  return peer;
}

describe('an RTMP session', () => {
  it('that fails when its socket closes is reported, and the next one is served', async () => {
    const faults: { error: unknown; fields: object }[] = [];
    const onUnpublish = (): never => {
      throw bug;
    };
    const onFault = (error: unknown, fields: object): void => {
      faults.push({ error, fields });
    };
    const server = await startRtmpServer({ ports: { onUnpublish, onFault } });
    onTestFinished(() => server.close());
    const peer = await publishOverRtmp(server, 'a');
    await publishOverRtmp(server, 'b');
    await peer.close();
    await until(() => faults.length > 0);
    expect(faults).toMatchObject([
      { error: bug, fields: { protocol: 'rtmp', stream: 'a', clientId: expect.any(String) } },
    ]);
    await until(() => !server.hub.isPublished(keyOf('a')));
    expect(server.hub.isPublished(keyOf('b'))).toBe(true);
    await publishOverRtmp(server, 'a');
  });
});

describe('a WHIP session', () => {
  it('that fails at a datagram ends without an error for the library', async () => {
    const server = await startRtmpServer();
    onTestFinished(() => server.close());
    const faults: unknown[] = [];
    let events: RtcPeerEvents | undefined;
    let closed = 0;
    const peer: RtcPeer = {
      answer: '',
      tracks: [],
      close: () => {
        closed += 1;
      },
    };
    const transport: RtcTransport = {
      port: 0,
      createPeer: async (_offer, _plans, given) => {
        events = given;
        return peer;
      },
      close: () => {},
    };
    const offer = readFileSync(
      join(import.meta.dirname, '../../media/src/protocols/sdp/testdata/chromium-156-offer.sdp'),
      'utf8',
    ).replaceAll('a=recvonly', 'a=sendonly');
    let ends = 0;
    const ports = portsOf(faults);
    const opened = await RtcPublishSession.open(offer, publisherSession({ stream: 'w', type: 'rtc-publish' }), {
      hub: server.hub,
      ports,
      onAdmitted: () => undefined,
      ...openGate(server.hub, ports),
      clock: () => performance.now(),
      attended: () => performance.now(),
      transport,
      broadcasts: undefined as never,
      candidates: [],
      left: new AbortController().signal,
      onProven: () => {},
      onEnd: () => {
        ends += 1;
      },
    });
    expect(opened).toMatchObject({ ok: true });
    // Using `undefined` as a track throws, as a bug would.
    events!.onDatagram(undefined as never, Buffer.alloc(40, 0x80));
    expect(faults).toEqual([expect.any(TypeError)]);
    expect([closed, ends, server.hub.isPublished(keyOf('w'))]).toEqual([1, 1, false]);
  });
});

function portsOf(faults: unknown[]) {
  const silent = () => {};
  return {
    log: { debug: silent, info: silent, warn: silent, error: silent },
    isValidStream: () => true,
    authorizePublish: async () => ({ allowed: true }) as const,
    authorizePlay: async () => ({ allowed: true }) as const,
    onUnpublish: silent,
    onStop: silent,
    onHlsSegment: silent,
    onFault: (error: unknown) => {
      faults.push(error);
    },
  };
}
