// Command messages (RTMP 1.0 §7.1.1, §7.2): name, transaction id, command object, arguments; and status objects.
import { ProtocolError } from '../../protocol-error.ts';
import { isAmfObject } from './amf-value.ts';
import { type AmfObject, type AmfValue, parseAmf0, writeAmf0 } from './amf0.ts';
import { messageType, type RtmpMessage } from './message.ts';

export interface RtmpCommand {
  readonly name: string;
  /** 0 when no response is expected. */
  readonly transactionId: number;
  readonly object: AmfObject;
  readonly args: AmfValue[];
}

/** Parses a command of type 20 (AMF0) or type 17 (AMF0 after a leading zero byte, possibly with AMF3 values). Throws `ProtocolError`. */
export function parseCommand(message: RtmpMessage): RtmpCommand {
  const [name, transactionId, object, ...args] = parseAmf0(amf0Bytes(message, messageType.commandAmf3));
  if (typeof name !== 'string') throw new ProtocolError('rtmp', 'RTMP command without a name');
  return {
    name,
    transactionId: typeof transactionId === 'number' ? transactionId : 0,
    object: isAmfObject(object) ? object : {},
    args,
  };
}

/** Removes the leading zero byte of the AMF3 form. */
export function amf0Bytes({ typeId, payload }: RtmpMessage, amf3TypeId: number): Buffer {
  return typeId === amf3TypeId && payload[0] === 0 ? payload.subarray(1) : payload;
}

/** `amf3`: wraps the AMF0 values as type 17, for a peer that sends type 17. */
export function writeCommand(streamId: number, amf3: boolean, ...values: AmfValue[]): RtmpMessage {
  const body = writeAmf0(...values);
  return {
    typeId: amf3 ? messageType.commandAmf3 : messageType.commandAmf0,
    streamId,
    timestamp: 0,
    payload: amf3 ? Buffer.concat([Buffer.of(0), body]) : body,
  };
}

/** Information object of `onStatus`, `_result` and `_error`. */
export interface Status {
  readonly level: 'status' | 'error';
  readonly code: string;
  readonly description: string;
}

/** Returns the argument if it is text, else undefined. */
export function textOf(value: AmfValue): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
