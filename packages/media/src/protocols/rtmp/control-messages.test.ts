import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../protocol-error.ts';
import {
  parseControlValue,
  parseUserControl,
  userEvent,
  writeAcknowledgement,
  writeSetChunkSize,
  writeSetPeerBandwidth,
  writeUserControl,
  writeWindowAckSize,
} from './control-messages.ts';
import type { RtmpMessage } from './message.ts';

const golden: [name: string, message: RtmpMessage, typeId: number, hex: string, value: number][] = [
  ['set chunk size', writeSetChunkSize(60_000), 1, '0000ea60', 60_000],
  ['acknowledgement', writeAcknowledgement(0x1_0000_0001), 3, '00000001', 1],
  ['window size', writeWindowAckSize(2_500_000), 5, '002625a0', 2_500_000],
  ['peer bandwidth', writeSetPeerBandwidth(2_500_000), 6, '002625a002', 2_500_000],
];

describe('control messages', () => {
  it.each(golden)('%s', (_name, message, typeId, hex, value) => {
    expect(message).toMatchObject({ typeId, streamId: 0, timestamp: 0 });
    expect(message.payload.toString('hex')).toBe(hex);
    expect(parseControlValue(message)).toBe(value);
  });

  it('user control events', () => {
    const message = writeUserControl(userEvent.pingRequest, 77);
    expect(message.payload.toString('hex')).toBe('00060000004d');
    expect(parseUserControl(message)).toEqual({ event: 6, value: 77 });
    expect(parseUserControl({ ...message, payload: Buffer.from('0020', 'hex') })).toEqual({ event: 32, value: 0 });
  });

  it('refuses truncated ones', () => {
    const message = { typeId: 5, streamId: 0, timestamp: 0, payload: Buffer.alloc(1) };
    expect(() => parseControlValue(message)).toThrow(ProtocolError);
    expect(() => parseUserControl(message)).toThrow(ProtocolError);
  });
});
