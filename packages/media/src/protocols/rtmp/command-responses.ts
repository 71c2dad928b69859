// Immediate responses to commands, independent of the connection's state. `connection.ts` executes the commands.
import type { AmfValue } from './amf0.ts';
import { outgoingChunkSize } from './chunk-writer.ts';
import { type RtmpCommand, textOf, writeCommand } from './command-message.ts';
import { connectReply } from './connect-reply.ts';
import { writeSetChunkSize, writeSetPeerBandwidth, writeWindowAckSize } from './control-messages.ts';
import { mediaStreamId, type RtmpMessage } from './message.ts';
import { streamStatus, writeStatus } from './stream-status.ts';

/** Acknowledgement window, bytes (the value of SRS): requested from the peer, and used for the peer until it requests another one. */
export const ackWindowBytes = 2_500_000;

/** `amf3`: the peer sent the command in AMF3 form (type 17), so the response has that form. */
type Respond = (command: RtmpCommand, amf3: boolean) => RtmpMessage[];

const nothing: Respond = () => [];

const responses = new Map<string, Respond>([
  ['connect', respondToConnect],
  ['releaseStream', (command, amf3) => [result(command, amf3, undefined)]],
  ['createStream', (command, amf3) => [result(command, amf3, mediaStreamId)]],
  ['getStreamLength', (command, amf3) => [result(command, amf3, 0)]],
  ['FCPublish', notice('onFCPublish', 'NetStream.Publish.Start')],
  ['FCUnpublish', notice('onFCUnpublish', 'NetStream.Unpublish.Success')],
  ['FCSubscribe', notice('onFCSubscribe', 'NetStream.Play.Start')],
  // Live streams cannot pause: the player gets the expected status and its stream continues.
  [
    'pause',
    ({ args }, amf3) => [writeStatus(args[0] === true ? streamStatus.pauseNotify : streamStatus.unpauseNotify, amf3)],
  ],
  ['seek', (_command, amf3) => [writeStatus(streamStatus.seekNotify, amf3)]],
  // Not here: a status message follows when the handler has accepted or refused the request.
  ['publish', nothing],
  ['play', nothing],
  ['closeStream', nothing],
  ['deleteStream', nothing],
  // Responses get no response, because two peers could otherwise respond to each other forever.
  ['_result', nothing],
  ['_error', nothing],
  ['onStatus', nothing],
]);

/** Any other command (`_checkbw`, `receiveAudio`, private calls) gets an empty result if it expects one. */
const respondToUnknown: Respond = (command, amf3) =>
  command.transactionId === 0 ? [] : [result(command, amf3, undefined)];

export function responsesTo(command: RtmpCommand, amf3: boolean): RtmpMessage[] {
  return (responses.get(command.name) ?? respondToUnknown)(command, amf3);
}

function respondToConnect({ object, transactionId }: RtmpCommand, amf3: boolean): RtmpMessage[] {
  const { properties, information } = connectReply(object);
  return [
    writeWindowAckSize(ackWindowBytes),
    writeSetPeerBandwidth(ackWindowBytes),
    writeSetChunkSize(outgoingChunkSize),
    writeCommand(0, amf3, '_result', transactionId, properties, information),
  ];
}

function notice(name: string, code: string): Respond {
  return (command, amf3) => {
    const information = { level: 'status', code, description: textOf(command.args[0]) ?? '' };
    return [result(command, amf3, undefined), writeCommand(0, amf3, name, 0, null, information)];
  };
}

function result({ transactionId }: RtmpCommand, amf3: boolean, value: AmfValue): RtmpMessage {
  return writeCommand(0, amf3, '_result', transactionId, null, value);
}
