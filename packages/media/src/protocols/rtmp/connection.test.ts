import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../protocol-error.ts';
import { type AmfObject, writeAmf0 } from './amf0.ts';
import { writeCommand } from './command-message.ts';
import { RtmpConnection, type RtmpConnectionHandler, type StreamRequest } from './connection.ts';
import { writeAcknowledgement, writeSetChunkSize, writeUserControl, writeWindowAckSize } from './control-messages.ts';
import { messageType, type RtmpMessage } from './message.ts';
import {
  connectObject,
  ServerBytes,
  writeCall,
  writeHello,
  writeMessage,
  writePlayCalls,
  writePublishCalls,
} from './testing/wire-client.ts';

function open(admit: 'at once' | 'later' = 'at once') {
  const server = new ServerBytes();
  const events: string[] = [];
  const requests: StreamRequest[] = [];
  const media: RtmpMessage[] = [];
  const dropped: [typeId: number, reason: string][] = [];
  const handler: RtmpConnectionHandler = {
    send: (parts) => {
      for (const part of parts) server.push(part);
    },
    onPublish: (request) => {
      events.push('publish');
      requests.push(request);
      if (admit === 'at once') connection.acceptPublish(0);
    },
    onPlay: (request) => {
      events.push('play');
      requests.push(request);
      if (admit === 'at once') connection.acceptPlay(0);
    },
    onMedia: (message) => media.push(message),
    onDropped: (typeId, reason) => dropped.push([typeId, reason]),
    onPublishEnd: () => events.push('publish end'),
    onPlayEnd: () => events.push('play end'),
  };
  const connection = new RtmpConnection(handler, { now: 0, random: (bytes) => Buffer.alloc(bytes, 7) });
  const push = (...parts: Buffer[]): void => connection.push(Buffer.concat(parts), 0);
  return { connection, server, events, requests, media, dropped, push };
}

const audio = (timestamp: number, payload = Buffer.of(0xaf, 1, 2)): Buffer =>
  writeMessage({ typeId: 8, streamId: 1, timestamp, payload }, 4);

describe('RTMP connection of a publisher', () => {
  it('leads from handshake to media', () => {
    const { push, server, requests, media, connection } = open();
    push(writeHello(), writePublishCalls('s?secret=X'), audio(5));
    expect(requests).toEqual([
      {
        vhost: '127.0.0.1',
        app: 'live',
        stream: 's',
        param: '?secret=X',
        tcUrl: 'rtmp://127.0.0.1/live',
        pageUrl: '',
        announced: true,
        userAgent: 'FMLE/3.0 (compatible; test)',
      },
    ]);
    expect(server.codes).toEqual([
      'NetConnection.Connect.Success',
      'NetStream.Publish.Start', // onFCPublish
      'NetStream.Publish.Start', // onStatus
    ]);
    expect(media).toEqual([{ typeId: 8, streamId: 1, timestamp: 5, payload: Buffer.of(0xaf, 1, 2) }]);
    expect(connection.state).toBe('publishing');
  });

  it('sends window, bandwidth and chunk size before the response to connect', () => {
    const { push, server } = open();
    push(writeHello(), writeCall('connect', 1, connectObject));
    const types = server.messages.map(({ typeId }) => typeId);
    // The chunk reader consumes Set Chunk Size, so the list does not contain it.
    expect(types).toEqual([messageType.windowAckSize, messageType.setPeerBandwidth, messageType.commandAmf0]);
    expect(server.commands[0]?.slice(0, 2)).toEqual(['_result', 1]);
  });

  it('works byte by byte', () => {
    const { connection, media } = open();
    const stream = Buffer.concat([writeHello(), writePublishCalls('s'), audio(5), audio(6)]);
    for (const byte of stream) connection.push(Buffer.of(byte), 0);
    expect(media.map(({ timestamp }) => timestamp)).toEqual([5, 6]);
  });

  it('delays data after publish until the decision', () => {
    const { push, media, connection } = open('later');
    push(writeHello(), writePublishCalls('s'), audio(1));
    push(audio(2));
    expect(media).toHaveLength(0);
    connection.acceptPublish(0);
    expect(media.map(({ timestamp }) => timestamp)).toEqual([1, 2]);
  });

  it('sends the reason of a refusal and then ignores the peer', () => {
    const { push, media, connection, server } = open('later');
    push(writeHello(), writePublishCalls('s'), audio(1));
    connection.refusePublish({ level: 'error', code: 'NetStream.Publish.Denied', description: 'wrong secret' });
    push(audio(2));
    expect(server.commands.at(-1)).toEqual([
      'onStatus',
      0,
      null,
      { level: 'error', code: 'NetStream.Publish.Denied', description: 'wrong secret' },
    ]);
    expect(media).toHaveLength(0);
    expect(connection.state).toBe('closed');
  });

  it.each([
    ['FCUnpublish', writeCall('FCUnpublish', 6, null, 's')],
    ['deleteStream', writeCall('deleteStream', 6, null, 1)],
    ['closeStream', writeCall('closeStream', 0, null)],
  ])('ends with %s and may publish again', (_name, end) => {
    const { push, events, media, server } = open();
    push(writeHello(), writePublishCalls('s'), end, audio(1));
    expect(events).toEqual(['publish', 'publish end']);
    expect(server.codes.at(-1)).toBe('NetStream.Unpublish.Success');
    push(writeCall('createStream', 7, null), writeCall('publish', 8, null, 't'), audio(2));
    expect(events).toEqual(['publish', 'publish end', 'publish']);
    expect(media.map(({ timestamp }) => timestamp)).toEqual([2]);
  });

  it('passes on data messages of both forms, and the content of an aggregate', () => {
    const { push, media } = open();
    const data = writeAmf0('@setDataFrame', 'onMetaData', { width: 1 });
    const message = (typeId: number, payload: Buffer): Buffer =>
      writeMessage({ typeId, streamId: 1, timestamp: 0, payload }, 4);
    const sub = Buffer.from('08000001000000000000 00aa0000000c'.replace(' ', ''), 'hex');
    push(writeHello(), writePublishCalls('s'));
    push(message(18, data), message(15, Buffer.concat([Buffer.of(0), data])), message(22, sub));
    expect(media.map(({ typeId }) => typeId)).toEqual([18, 18, 8]);
    expect(media[1]!.payload.equals(data)).toBe(true);
  });

  it('responds to AMF3 commands in AMF3 form', () => {
    const { push, server } = open();
    push(writeHello(), writeCall('connect', 1, { ...connectObject, objectEncoding: 3 }));
    push(writeMessage(writeCommand(0, true, 'createStream', 2, null)));
    expect(server.commands[0]?.[3]).toMatchObject({ objectEncoding: 3 });
    expect(server.messages.at(-1)?.typeId).toBe(messageType.commandAmf3);
    expect(server.commands.at(-1)).toEqual(['_result', 2, null, 1]);
  });

  it('announces the Enhanced RTMP features that both sides support', () => {
    const { push, server } = open();
    const wishes = { fourCcList: ['hvc1', 'xxxx', 'av01'], videoFourCcInfoMap: { '*': 2 }, capsEx: 0xff };
    push(writeHello(), writeCall('connect', 1, { ...connectObject, ...wishes }));
    const information = server.commands[0]?.[3] as AmfObject;
    expect(information.fourCcList).toEqual(['hvc1', 'av01']);
    expect(information.videoFourCcInfoMap).toMatchObject({ hvc1: 4, av01: 4, vp09: 4 });
    expect(information.capsEx).toBe(14);
  });

  it('does not send Enhanced RTMP to a client that does not support it', () => {
    const { push, server } = open();
    push(writeHello(), writeCall('connect', 1, connectObject));
    expect(server.commands[0]?.[3]).not.toHaveProperty('fourCcList');
  });

  it('acknowledges once per window of the peer', () => {
    const { push, server } = open();
    const acknowledgements = (): number => server.messages.filter(({ typeId }) => typeId === 3).length;
    push(writeHello(), writePublishCalls('s'), writeMessage(writeWindowAckSize(100_000), 2));
    const big = audio(0, Buffer.alloc(40_000));
    push(big);
    push(big);
    expect(acknowledgements()).toBe(0);
    push(big);
    expect(acknowledgements()).toBe(1);
    push(big);
    expect(acknowledgements()).toBe(1);
  });
});

describe('RTMP connection with one unexpected message', () => {
  const odd = (typeId: number, hex: string): Buffer =>
    writeMessage({ typeId, streamId: 0, timestamp: 0, payload: Buffer.from(hex, 'hex') }, 2);

  it.each([
    ['a user control message of one byte', odd(4, '00'), [4, 'truncated user control message']],
    ['a window size of two bytes', odd(5, '0001'), [5, 'truncated control message of type 5']],
    ['an empty aggregate header', odd(22, '0800'), [22, 'truncated aggregate message']],
    ['a command that is not AMF', odd(20, 'ff'), [20, expect.any(String)]],
    ['a command without a name', writeMessage(writeCommand(0, false, 1, 2)), [20, 'RTMP command without a name']],
  ])('%s: drops and counts it, and continues', (_name, message, expected) => {
    const { push, media, dropped, connection } = open();
    push(writeHello(), writePublishCalls('s'), audio(1), message, audio(2));
    expect(media.map(({ timestamp }) => timestamp)).toEqual([1, 2]);
    expect(dropped).toEqual([expected]);
    expect(connection.state).toBe('publishing');
  });

  it('a ping without a time gets a response, an abort without a chunk stream is ignored', () => {
    const { push, media, server } = open();
    push(writeHello(), writePublishCalls('s'), odd(4, '0006'), odd(2, '00'), audio(1));
    expect(server.messages.at(-1)?.payload.toString('hex')).toBe('000700000000');
    expect(media).toHaveLength(1);
  });

  it('keeps the complete messages of a truncated aggregate', () => {
    const { push, media, dropped } = open();
    const cut = `08000001000000000000 00aa0000000c ${'0900ff'}`.replaceAll(' ', '');
    push(writeHello(), writePublishCalls('s'), odd(22, cut), audio(2));
    expect(media).toHaveLength(2);
    expect(dropped).toEqual([[22, 'truncated aggregate message']]);
  });

  it('of a player drops the message too', () => {
    const { push, connection } = open();
    push(writeHello(), writePlayCalls('s'), odd(4, '00'));
    expect(connection.state).toBe('playing');
  });
});

describe('RTMP connection of a player', () => {
  it('receives the start of the stream', () => {
    const { push, server, events, connection } = open();
    push(writeHello(), writePlayCalls('s'));
    expect(events).toEqual(['play']);
    expect(connection.state).toBe('playing');
    expect(server.codes).toEqual(['NetConnection.Connect.Success', 'NetStream.Play.Reset', 'NetStream.Play.Start']);
    expect(server.messages.find(({ typeId }) => typeId === 4)?.payload.toString('hex')).toBe('000000000001');
  });

  it('may pause, seek and request statistics without effect', () => {
    const { push, server, connection } = open();
    push(
      writeHello(),
      writePlayCalls('s'),
      writeCall('pause', 0, null, true, 0),
      writeCall('pause', 0, null, false, 0),
    );
    push(writeCall('seek', 0, null, 1000), writeCall('getStreamLength', 9, null, 's'), writeCall('_checkbw', 10, null));
    push(writeCall('receiveAudio', 0, null, false), writeMessage(writeUserControl(3, 1), 2));
    expect(server.codes.slice(-3)).toEqual([
      'NetStream.Pause.Notify',
      'NetStream.Unpause.Notify',
      'NetStream.Seek.Notify',
    ]);
    expect(server.commands.slice(-2)).toEqual([
      ['_result', 9, null, 0],
      ['_result', 10, null, undefined],
    ]);
    expect(connection.state).toBe('playing');
  });

  it('gets a response to its ping', () => {
    const { push, server } = open();
    push(writeHello(), writePlayCalls('s'), writeMessage(writeUserControl(6, 99), 2));
    expect(server.messages.at(-1)?.payload.toString('hex')).toBe('000700000063');
  });

  it('receives the end of the stream', () => {
    const { push, server, connection } = open();
    push(writeHello(), writePlayCalls('s'));
    connection.endPlay({ level: 'status', code: 'NetStream.Play.UnpublishNotify', description: 'over' });
    expect(server.codes.at(-1)).toBe('NetStream.Play.UnpublishNotify');
    expect(connection.state).toBe('closed');
  });

  it('ends by itself and may play another stream', () => {
    const { push, events } = open();
    push(writeHello(), writePlayCalls('s'), writeCall('deleteStream', 5, null, 1), writeCall('play', 6, null, 't'));
    expect(events).toEqual(['play', 'play end', 'play']);
  });
});

describe('RTMP connection of a slow or malicious peer', () => {
  it('times out without a handshake or a request, but never while a decision is pending', () => {
    const { connection, push } = open('later');
    expect(connection.overdue(9_999)).toBeUndefined();
    expect(connection.overdue(10_000)).toBe('handshake');
    push(writeHello());
    expect(connection.overdue(14_999)).toBeUndefined();
    expect(connection.overdue(15_000)).toBe('publish or play command');
    push(writePublishCalls('s'));
    expect(connection.overdue(60_000)).toBeUndefined();
    connection.acceptPublish(60_000);
    expect(connection.overdue(600_000)).toBeUndefined();
  });

  it.each([
    ['a command before connect', [writeCall('createStream', 1, null)]],
    ['connect twice', [writeCall('connect', 1, connectObject), writeCall('connect', 2, connectObject)]],
    ['publish twice', [writePublishCalls('s'), writeCall('publish', 9, null, 't')]],
    ['play while publishing', [writePublishCalls('s'), writeCall('play', 9, null, 't')]],
    ['a command without a name', [writeMessage(writeCommand(0, false, 1, 2))]],
    ['a command that is not AMF', [writeMessage({ typeId: 20, streamId: 0, timestamp: 0, payload: Buffer.of(0xff) })]],
    ['an address of 5000 characters', [writePublishCalls('s'.repeat(5000))]],
    ['a long command before publish', [audio(0, Buffer.alloc(70_000))]],
  ])('%s ends the connection', (_name, parts) => {
    const { push } = open();
    expect(() => push(writeHello(), ...parts)).toThrow(ProtocolError);
  });

  it('refuses media from a peer that does not publish', () => {
    const { push, media } = open();
    push(writeHello(), writePlayCalls('s'), audio(1));
    expect(media).toHaveLength(0);
  });

  const script = Buffer.concat([
    writeMessage(writeSetChunkSize(4096), 2),
    writeMessage(writeWindowAckSize(2_500_000), 2),
    writePublishCalls('s', { ...connectObject, fourCcList: ['hvc1'], capsEx: 1 }),
    writeMessage({ typeId: 18, streamId: 1, timestamp: 0, payload: writeAmf0('@setDataFrame', 'onMetaData', {}) }),
    writeMessage(writeAcknowledgement(1000), 2),
    writeMessage(writeUserControl(6, 1), 2),
    writeMessage(
      { typeId: 22, streamId: 1, timestamp: 0, payload: Buffer.from('080000010000000000000000aa0000000c', 'hex') },
      4,
    ),
    writeMessage(writeCommand(0, true, 'getStreamLength', 9, null, 's')),
    audio(0),
    audio(0x1000000),
    writeCall('FCUnpublish', 6, null, 's'),
    writePlayCalls('s').subarray(-60),
  ]);

  it('every truncation waits for more data', () => {
    for (let length = 0; length < script.length; length += 3) {
      const { push, connection } = open();
      pushOrRefuse(() => push(writeHello(), script.subarray(0, length)));
      expect(connection.bufferedBytes).toBeLessThan(200_000);
    }
  });

  it('changed bytes give events or a ProtocolError, with bounded memory', () => {
    const edits = fc.array(fc.tuple(fc.nat({ max: script.length - 1 }), fc.nat({ max: 255 })), { maxLength: 8 });
    fc.assert(
      fc.property(edits, (changes) => {
        const data = Buffer.from(script);
        for (const [at, byte] of changes) data[at] = byte;
        const { push, connection } = open();
        pushOrRefuse(() => push(writeHello(), data));
        expect(connection.bufferedBytes).toBeLessThan(20 * 1024 * 1024);
      }),
      { seed: 1, numRuns: 1500 },
    );
  });
});

function pushOrRefuse(push: () => void): void {
  try {
    push();
  } catch (error) {
    expect(error).toBeInstanceOf(ProtocolError);
  }
}

describe('a full read of tiny chunks', () => {
  function steps(connection: RtmpConnection, count: () => number): number[] {
    const found: number[] = [];
    let before = 0;
    for (let after = count(); ; after = count()) {
      found.push(after - before);
      before = after;
      if (!connection.isHeldBack) return found;
      connection.readOn(0);
    }
  }

  it('without payload is processed in bounded steps', () => {
    const { push, media, connection } = open();
    push(
      writeHello(),
      writePublishCalls('s'),
      writeMessage({ typeId: 8, streamId: 1, timestamp: 0, payload: Buffer.alloc(0) }, 4),
    );
    media.length = 0;
    push(Buffer.alloc(65_536, 0xc4));
    const found = steps(connection, () => media.length);
    expect([media.length, Math.max(...found) <= 1_024, found.length > 60]).toEqual([65_536, true, true]);
  });

  it('of pings gets its responses in bounded steps', () => {
    const { push, server, connection } = open();
    push(writeHello(), writePublishCalls('s'));
    const ping = Buffer.concat([Buffer.of(0xc2), Buffer.from('000600000001', 'hex')]);
    const first = writeMessage(writeUserControl(6, 1), 2);
    server.messages.length = 0;
    push(Buffer.concat([first, ...Array.from({ length: 9_000 }, () => ping)]));
    const found = steps(connection, () => server.messages.length);
    expect([server.messages.length, Math.max(...found) <= 64]).toEqual([9_001, true]);
  });

  it('that changes the chunk size is read in bounded steps', () => {
    const { push, connection } = open();
    push(writeHello(), writePublishCalls('s'), writeMessage(writeSetChunkSize(128), 2));
    push(Buffer.concat(Array.from({ length: 13_000 }, () => Buffer.from('c200000080', 'hex'))));
    expect(steps(connection, () => 0).length).toBeGreaterThan(12);
  });

  it('in one aggregate message is split in bounded steps, before later data', () => {
    const { push, media, connection } = open();
    push(writeHello(), writePublishCalls('s'));
    const part = Buffer.from('08000001000000000000000000000000'.padEnd(32, '0'), 'hex');
    const payload = Buffer.concat(Array.from({ length: 4_000 }, () => part));
    push(writeMessage({ typeId: 22, streamId: 1, timestamp: 0, payload }, 4), audio(7, Buffer.of(0xaf, 9)));
    const found = steps(connection, () => media.length);
    expect([media.length, Math.max(...found) <= 1_024, media.at(-1)?.payload[1]]).toEqual([4_001, true, 9]);
  });
});
