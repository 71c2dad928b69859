// Command messages (RTMP 1.0 §7.1.1, §7.2): name, transaction id, command object, arguments; and status objects.
import { ProtocolError } from '../../protocol-error.ts';
import { isAmfObject } from './amf-value.ts';
import { type AmfObject, type AmfValue, parseAmf0, writeAmf0 } from './amf0.ts';
import { messageType, type RtmpMessage } from './message.ts';

export interface RtmpCommand {
  readonly name: string;
  /** 0 when no response is expected. */
  readonly transactionId: number;
  /** The command object; empty when null. */
  readonly object: AmfObject;
  readonly args: AmfValue[];
}

/**
 * Reads a command of type 20 (AMF0), or of type 17, whose leading byte means "AMF0 with AMF3 values behind a marker". Throws
 * `ProtocolError`.
 */
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

/** The AMF0 bytes of a message; the AMF3 form has a leading zero byte that is not part of them. */
export function amf0Bytes({ typeId, payload }: RtmpMessage, amf3TypeId: number): Buffer {
  return typeId === amf3TypeId && payload[0] === 0 ? payload.subarray(1) : payload;
}

/** `amf3`: responds in the form of a peer that sent type 17; the values are AMF0 in both forms. */
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
  /** E.g. `NetStream.Publish.Start`. */
  readonly code: string;
  readonly description: string;
}

/** The argument as text; undefined when it is another type. */
export function textOf(value: AmfValue): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
