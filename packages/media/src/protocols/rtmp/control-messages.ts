// Protocol control and user control messages (RTMP 1.0 §5.4, §7.1.7).
import { ProtocolError } from '../../protocol-error.ts';
import { messageType, type RtmpMessage } from './message.ts';

export const userEvent = {
  streamBegin: 0,
  streamEof: 1,
  streamDry: 2,
  setBufferLength: 3,
  streamIsRecorded: 4,
  pingRequest: 6,
  pingResponse: 7,
} as const;

/** §5.4.5, "dynamic": acts as a hard limit if the previous limit was hard. In other cases the peer ignores the message. */
const limitTypeDynamic = 2;

export function writeSetChunkSize(bytes: number): RtmpMessage {
  return controlMessage(messageType.setChunkSize, uint32(bytes));
}

export function writeAcknowledgement(receivedBytes: number): RtmpMessage {
  return controlMessage(messageType.acknowledgement, uint32(receivedBytes));
}

export function writeWindowAckSize(bytes: number): RtmpMessage {
  return controlMessage(messageType.windowAckSize, uint32(bytes));
}

export function writeSetPeerBandwidth(bytes: number): RtmpMessage {
  return controlMessage(messageType.setPeerBandwidth, Buffer.concat([uint32(bytes), Buffer.of(limitTypeDynamic)]));
}

/** `value` is the message stream id of a stream event, or the timestamp of a ping. */
export function writeUserControl(event: number, value: number): RtmpMessage {
  const payload = Buffer.allocUnsafe(6);
  payload.writeUInt16BE(event, 0);
  payload.writeUInt32BE(value >>> 0, 2);
  return controlMessage(messageType.userControl, payload);
}

/** The number in an acknowledgement, window size or peer bandwidth message. Throws `ProtocolError`. */
export function parseControlValue({ payload, typeId }: RtmpMessage): number {
  if (payload.length < 4) throw new ProtocolError('rtmp', `truncated control message of type ${typeId}`);
  return payload.readUInt32BE(0);
}

/** Returns the event and its first value, or 0 if the peer omits the value. Throws `ProtocolError`. */
export function parseUserControl({ payload }: RtmpMessage): { event: number; value: number } {
  if (payload.length < 2) throw new ProtocolError('rtmp', 'truncated user control message');
  return { event: payload.readUInt16BE(0), value: payload.length < 6 ? 0 : payload.readUInt32BE(2) };
}

function controlMessage(typeId: number, payload: Buffer): RtmpMessage {
  return { typeId, streamId: 0, timestamp: 0, payload };
}

function uint32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value >>> 0, 0);
  return bytes;
}
