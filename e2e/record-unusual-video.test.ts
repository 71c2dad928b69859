// The MP4 of a recording decodes to the sent frames when an RTMP publisher sends unusual video.
// The video has start codes (Annex B), no sequence header, or a message for each slice.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '@srs-stack/contract';
import {
  writeCall,
  writeHello,
  writeMessage,
  writePublishCalls,
} from '@srs-stack/media/protocols/rtmp/testing/wire-client.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Codec,
  hashesOf,
  makeNalClip,
  messagesOf,
  type NalClip,
  nalClipFrameMs,
  type Sending,
} from '../packages/engine/test/nal-clip.ts';
import { RtmpPeer } from '../packages/engine/test/rtmp-peer.ts';
import { type Admin, setUp } from './support/api.ts';
import { type Product, startProduct } from './support/product.ts';
import { finished, lastSegmentOf, recordingsOf } from './support/record-rows.ts';
import { until } from './support/until.ts';

let folder: string;
let product: Product;
let admin: Admin;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-record-unusual-'));
  product = await startProduct();
  admin = await setUp(product, 'a long first password');
  await admin.call(endpoints.applyRecord, { all: true });
});
afterAll(async () => {
  await product?.remove();
  rmSync(folder, { recursive: true });
});

const usual: Sending = { header: 'record', units: 'lengths', messages: 'picture', inBand: false };
const sendings: [name: string, Sending][] = [
  ['with start codes', { ...usual, units: 'start codes' }],
  ['with start codes and no sequence header', { ...usual, units: 'start codes', header: 'none', inBand: true }],
  ['with a message for each slice', { ...usual, messages: 'slice' }],
];

async function publish(clip: NalClip, sending: Sending, stream: string): Promise<void> {
  const peer = new RtmpPeer(product.ports.rtmp);
  peer.send(writeHello(), writePublishCalls(`${stream}?${admin.publishQuery}`));
  for (const { type, timestampMs, body } of messagesOf(clip, sending))
    peer.send(writeMessage({ typeId: type, streamId: 1, timestamp: timestampMs, payload: body }, 4));
  await until(`${stream} is live`, async () => {
    const { streams } = await admin.call(endpoints.queryStreams, {});
    return streams.some((live) => live.stream === stream);
  });
  peer.send(writeCall('FCUnpublish', 6, null, stream));
  await lastSegmentOf(product, admin, stream);
  await peer.close();
}

describe.each<Codec>(['h264', 'h265'])('the recording of %s', (codec) => {
  let clip: NalClip;
  beforeAll(async () => {
    clip = await makeNalClip(codec, join(folder, `clip.${codec}`));
  });

  it.each(sendings)('%s has every frame', async (name, sending) => {
    const stream = `${codec}-${name.replaceAll(' ', '-')}`;
    await publish(clip, sending, stream);
    await until(`the recording of ${stream} has all segments`, async () => {
      const rows = await recordingsOf(admin, stream);
      return rows.some(({ duration }) => duration >= ((clip.hashes.length - 1) * nalClipFrameMs) / 1000);
    });
    for (const { uuid, progress } of await recordingsOf(admin, stream))
      if (progress) await admin.call(endpoints.endRecord, { uuid });
    const { uuid } = (await recordingsOf(admin, stream))[0]!;
    expect(await finished(admin, uuid)).toMatchObject({ state: 'done', problem: '' });
    expect(await hashesOf(join(product.dataDir, 'record', uuid, 'index.mp4'), clip.hashes.length)).toEqual(clip.hashes);
  });
});
