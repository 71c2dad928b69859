import { expect, it } from 'vitest';
import { writeRtpPacket } from '../rtp/rtp-packet.ts';
import { parseTsDatagram } from './ts-datagram.ts';

const transport = Buffer.alloc(188 * 7);
for (let at = 0; at < transport.length; at += 188) transport[at] = 0x47;
const rtp = { marker: false, payloadType: 33, sequence: 9, timestamp: 1, ssrc: 2 };

it('bare transport packets, and those inside RTP, are recognised', () => {
  expect(parseTsDatagram(transport)).toEqual({ kind: 'plain', payload: transport });
  const datagram = parseTsDatagram(writeRtpPacket({ ...rtp, payload: transport }));
  expect(datagram).toMatchObject({ kind: 'rtp', packet: { sequence: 9, payload: transport } });
});

it.each([
  ['nothing', Buffer.alloc(0)],
  ['text', Buffer.from('x'.repeat(400))],
  ['one sync byte', Buffer.alloc(400, 0).fill(0x47, 0, 1)],
  ['a short packet', transport.subarray(0, 187)],
  ['RTP with other media', writeRtpPacket({ ...rtp, payload: Buffer.alloc(200, 1) })],
  ['RTP that is cut off', Buffer.from([0x90, 33, 0, 0])],
])('%s is not recognised', (_name, datagram) => {
  expect(parseTsDatagram(datagram)).toBeUndefined();
});
