// Aggregate messages (RTMP 1.0 §7.1.6): a sequence of FLV tags inside one message, as Flash Media Server relays send them.
//
//   sub-message: type(1) size(3) timestamp(3) timestamp high byte(1) stream id(3) data(size) back pointer(4)
import { ProtocolError } from '../../protocol-error.ts';
import { messageType, type RtmpMessage } from './message.ts';

const subHeaderBytes = 11;
const backPointerBytes = 4;

/**
 * Yields the messages one by one, because an aggregate may contain half a million. Shifts the timestamps so that the first message has the
 * timestamp of the aggregate. Throws `ProtocolError` at a damaged message.
 */
export function* splitAggregate({ payload, timestamp, streamId }: RtmpMessage): Generator<RtmpMessage, undefined> {
  let shift: number | undefined;
  let offset = 0;
  while (offset < payload.length) {
    const dataStart = offset + subHeaderBytes;
    if (dataStart > payload.length) throw new ProtocolError('rtmp', 'truncated aggregate message', offset);
    const dataEnd = dataStart + payload.readUIntBE(offset + 1, 3);
    if (dataEnd > payload.length) throw new ProtocolError('rtmp', 'truncated aggregate message', offset);
    const time = payload.readUIntBE(offset + 4, 3) + payload[offset + 7]! * 0x1000000;
    shift ??= timestamp - time;
    yield toMessage(payload[offset]!, streamId, time + shift, payload.subarray(dataStart, dataEnd));
    offset = dataEnd + backPointerBytes;
  }
}

function toMessage(typeId: number, streamId: number, timestamp: number, payload: Buffer): RtmpMessage {
  if (typeId === messageType.aggregate)
    throw new ProtocolError('rtmp', 'an aggregate message contains another aggregate message');
  return { typeId, streamId, timestamp: timestamp >>> 0, payload };
}
