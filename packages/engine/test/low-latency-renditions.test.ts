// Renditions of one stream in low-latency HLS: rendition reports, dates and target durations. A viewer that switches between renditions
// counts once. The tests send media packet by packet, with a delay for each encoder.
import type { Packet } from '@srs-stack/media/packet.ts';
import { playlistViolations, readPlaylist, renditionViolations } from '@srs-stack/media/testing/low-latency-rules.ts';
import { audio, video } from '@srs-stack/media/testing/media.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Publication } from '../src/hub/stream-hub.ts';
import { type HlsRig, startHls } from './hls-rig.ts';

let rig: HlsRig;
afterEach(() => rig?.close());

const steps = ['source', '720p', '144p', 'audio'] as const;
type Step = (typeof steps)[number];
const audioFrameMs = 1024 / 48;
const frameMs = 40;
const reorderMs = 2 * frameMs;

/** Packets of one rendition, with a keyframe each `gopMs`. The source has reordered frames. */
function media(step: Step, { fromMs, untilMs, gopMs }: { fromMs: number; untilMs: number; gopMs: number }): Packet[] {
  const packets: Packet[] = [];
  for (let atMs = Math.ceil(fromMs / frameMs) * frameMs; step !== 'audio' && atMs < untilMs; atMs += frameMs) {
    // The smallest rendition has every second frame and every keyframe. When the GOP has an odd number of frames, a keyframe follows
    // another frame directly.
    if (step === '144p' && atMs % gopMs !== 0 && (atMs / frameMs) % 2 !== 0) continue;
    const videoPacket = video(atMs + reorderMs, { keyframe: atMs % gopMs === 0, bytes: 400 });
    // B-frames: each frame is decoded two frames before it is shown.
    packets.push(step === 'source' ? { ...videoPacket, dtsMs: atMs } : videoPacket);
  }
  for (let frame = Math.ceil(fromMs / audioFrameMs); frame * audioFrameMs < untilMs; frame++)
    packets.push(audio(Math.round(frame * audioFrameMs)));
  return packets.sort((left, right) => left.dtsMs - right.dtsMs);
}

interface Ladder {
  readonly publications: ReadonlyMap<Step, Publication>;
  /** Sends the packets of all renditions until `untilMs`. Encoded renditions arrive later than the source. */
  play(untilMs: number): Promise<void>;
}

const rest = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));
const encodingMs = 25;

async function openLadder({ gopMs = 2_000 } = {}): Promise<Ladder> {
  rig = await startHls({ lowLatency: true });
  const publications = new Map(steps.map((step) => [step, rig.publish(`x~${step}`)]));
  let atMs = 0;
  const send = (step: Step, untilMs: number): void => {
    const publication = publications.get(step)!;
    const packets = media(step, { fromMs: atMs, untilMs, gopMs });
    for (const track of new Set(packets.map((packet) => packet.track))) publication.setTrack(track);
    for (const packet of packets) publication.push(packet);
  };
  const play = async (untilMs: number): Promise<void> => {
    send('source', untilMs);
    await rest(encodingMs);
    for (const step of ['720p', '144p', 'audio'] as const) send(step, untilMs);
    atMs = untilMs;
  };
  await play(2_500);
  return { publications, play };
}

const pathOf = (step: Step) => `x~${step}.ll.m3u8`;
const textOf = async (step: Step, context = 'v-one') => {
  const response = await fetch(`${rig.url}/live/${pathOf(step)}?hls_ctx=${context}`);
  expect(response.status).toBe(200);
  return response.text();
};
const playlists = async () =>
  new Map(await Promise.all(steps.map(async (step) => [pathOf(step), readPlaylist(await textOf(step))] as const)));

describe('low-latency playlists of renditions', () => {
  it.each([1_000, 2_000, 3_500])('are consistent with each other, with a keyframe each %i ms', async (gopMs) => {
    const { play } = await openLadder({ gopMs });
    for (let untilMs = 9_000; untilMs < 14_000; untilMs += 330) {
      await play(untilMs);
      const all = await playlists();
      expect(renditionViolations(all)).toEqual([]);
      for (const [name, playlist] of all) expect(playlistViolations(playlist), name).toEqual([]);
    }
  });

  it('report each other by the URLs of the multivariant playlist, with their latest parts', async () => {
    const { play, publications } = await openLadder();
    await play(8_000);
    const report = async () => (await textOf('source')).split('\n').filter((line) => line.includes('RENDITION-REPORT'));
    const [first] = await report();
    expect(first).toMatch(/^#EXT-X-RENDITION-REPORT:URI="x~720p\.ll\.m3u8\?hls_ctx=v-one",LAST-MSN=\d+,LAST-PART=\d+$/);
    // New parts of 720p change the report about 720p in the playlist of the source, which gets no new parts.
    const publication = publications.get('720p')!;
    for (const packet of media('720p', { fromMs: 8_000, untilMs: 8_800, gopMs: 2_000 })) publication.push(packet);
    expect((await report())[0]).not.toBe(first);
    publication.end('unpublished');
    expect(await report()).toHaveLength(2);
  });

  it('share one clock again when all encoders restart', async () => {
    const { play, publications } = await openLadder();
    await play(8_000);
    for (const publication of publications.values()) publication.end('unpublished');
    const again = new Map(steps.map((step) => [step, rig.publish(`x~${step}`)]));
    for (const untilMs of [14_000, 17_000, 20_000]) {
      for (const [step, publication] of again) {
        for (const packet of media(step, { fromMs: untilMs - 3_000, untilMs, gopMs: 2_000 })) {
          publication.setTrack(packet.track);
          publication.push(packet);
        }
      }
    }
    const all = await playlists();
    expect(renditionViolations(all)).toEqual([]);
    const dates = [...all.values()].map(({ segments }) => Date.parse(segments.at(-1)!.date!));
    expect(Math.max(...dates.map((date) => Math.abs(date - Date.now())))).toBeLessThan(60_000);
  });

  it('of a stream that is not a rendition report nothing', async () => {
    rig = await startHls({ lowLatency: true, sessionContexts: false });
    const publication = rig.publish('x');
    for (const packet of media('720p', { fromMs: 0, untilMs: 9_000, gopMs: 2_000 })) {
      publication.setTrack(packet.track);
      publication.push(packet);
    }
    const text = await (await fetch(`${rig.url}/live/x.ll.m3u8`)).text();
    expect(text).not.toContain('RENDITION-REPORT');
  });
});

describe('a viewer that switches between renditions', () => {
  const viewers = () => rig.hub.clients(0).filter(({ session }) => session.type === 'hls-play');
  const streams = () => viewers().map(({ session }) => session.stream);

  it('counts once, at the most recently requested rendition', async () => {
    const { play } = await openLadder();
    await play(8_000);
    for (const step of ['source', 'source', '720p', '720p'] as const) await textOf(step);
    await vi.waitFor(() => expect(streams()).toEqual(['x~720p']));
    for (const step of ['source', 'source'] as const) await textOf(step);
    expect(streams()).toEqual(['x~source']);
    for (const step of ['720p', '720p'] as const) await textOf(step, 'v-two');
    expect(streams().sort()).toEqual(['x~720p', 'x~source']);
    // A viewer that the operator disconnected cannot return with another rendition of its playlist.
    for (const { session } of viewers()) rig.hub.kick(session.clientId);
    expect(viewers()).toEqual([]);
  });

  it('counts once per stream if the streams are not renditions of one source', async () => {
    rig = await startHls({ lowLatency: true });
    for (const name of ['a', 'b']) {
      const publication = rig.publish(name);
      for (const packet of media('720p', { fromMs: 0, untilMs: 9_000, gopMs: 2_000 })) {
        publication.setTrack(packet.track);
        publication.push(packet);
      }
      for (let time = 0; time < 2; time++) await (await fetch(`${rig.url}/live/${name}.ll.m3u8?hls_ctx=v-one`)).text();
    }
    await vi.waitFor(() => expect(streams().sort()).toEqual(['a', 'b']));
  });
});
