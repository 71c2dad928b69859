import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../protocol-error.ts';
import { type AmfObject, type AmfValue, parseAmf0 } from './amf0.ts';
import { parseCommand, writeCommand } from './command-message.ts';
import { RtmpConnection, type RtmpConnectionHandler, type StreamRequest } from './connection.ts';
import { writeSetPeerBandwidth, writeUserControl, writeWindowAckSize } from './control-messages.ts';
import { handshakePartBytes } from './handshake-digest.ts';
import { messageType } from './message.ts';
import { parsePublishAddress } from './publish-address.ts';
import { type PublishOutcome, type PublishTerms, RtmpPublishClient } from './publish-client.ts';
import { ServerBytes, writeMessage } from './testing/wire-client.ts';

const random = (bytes: number): Buffer => Buffer.alloc(bytes, 7);

function open(server = 'rtmp://host/live', key = 'key', authQuery = '') {
  const sent: Buffer[] = [];
  const readyWith: PublishTerms[] = [];
  const outcomes: PublishOutcome[] = [];
  const client = new RtmpPublishClient(
    {
      send: (parts) => sent.push(Buffer.concat(parts)),
      onReady: (terms) => readyWith.push(terms),
      onEnd: (outcome) => outcomes.push(outcome),
    },
    { address: parsePublishAddress(server, key)!, authQuery, random },
  );
  return { client, sent, readyWith, outcomes };
}

const hello = Buffer.concat([Buffer.of(3), Buffer.alloc(2 * handshakePartBytes, 9)]);
const responseOf = (...values: AmfValue[]): Buffer => writeMessage(writeCommand(0, false, ...values));
const connected = (information: AmfObject = {}): Buffer =>
  responseOf('_result', 1, { fmsVer: 'x' }, { code: 'NetConnection.Connect.Success', ...information });
const created = responseOf('_result', 4, null, 1);
const started = responseOf('onStatus', 0, null, { level: 'status', code: 'NetStream.Publish.Start' });

function commandsOf(sent: readonly Buffer[]): AmfValue[][] {
  const bytes = new ServerBytes();
  bytes.push(Buffer.concat(sent));
  return bytes.messages
    .filter(({ typeId }) => typeId === messageType.commandAmf0)
    .map(({ payload }) => parseAmf0(payload));
}

describe('publishing client', () => {
  it('publishes to our own server and ends there', () => {
    const { client, sent, readyWith, outcomes } = open('rtmp://host/live', 'a/b?c=d&e==');
    const answers: Buffer[] = [];
    const requests: StreamRequest[] = [];
    const events: string[] = [];
    const handler: RtmpConnectionHandler = {
      send: (parts) => answers.push(Buffer.concat(parts)),
      onPublish: (request) => {
        requests.push(request);
        server.acceptPublish(0);
      },
      onPlay: () => events.push('play'),
      onMedia: ({ typeId }) => events.push(`media ${typeId}`),
      onDropped: (typeId) => events.push(`dropped ${typeId}`),
      onPublishEnd: () => events.push('publish end'),
      onPlayEnd: () => events.push('play end'),
    };
    const server: RtmpConnection = new RtmpConnection(handler, { now: 0, random });
    const exchange = (): void => {
      while (sent.length + answers.length > 0) {
        for (const data of sent.splice(0)) server.push(data, 0);
        for (const data of answers.splice(0)) client.push(data);
      }
    };
    client.start();
    exchange();
    expect(readyWith).toHaveLength(1);
    expect(readyWith[0]?.messageStreamId).toBe(1);
    expect(readyWith[0]?.fourCcs?.has('hvc1')).toBe(true);
    expect(requests).toMatchObject([{ app: 'live/a', stream: 'b', param: '?c=d&e==', announced: true }]);
    client.end();
    client.end();
    exchange();
    expect(events).toEqual(['publish end']);
    expect(outcomes).toEqual([]);
  });

  it('sends the calls that platforms expect, byte for byte', () => {
    const { client, sent } = open('rtmp://host:1936/live', 'key');
    client.start();
    client.push(Buffer.concat([hello, connected(), created, started]));
    client.end();
    expect(commandsOf(sent).map(([name, id, , ...args]) => [name, id, ...args])).toEqual([
      ['connect', 1],
      ['releaseStream', 2, 'key'],
      ['FCPublish', 3, 'key'],
      ['createStream', 4],
      ['publish', 5, 'key', 'live'],
      ['FCUnpublish', 6, 'key'],
      ['deleteStream', 0, 1],
    ]);
    expect(commandsOf(sent)[0]?.[2]).toMatchObject({ app: 'live', tcUrl: 'rtmp://host:1936/live', type: 'nonprivate' });
    expect(createHash('sha256').update(Buffer.concat(sent)).digest('hex')).toBe(golden);
  });

  it('reports the same however the bytes are split', () => {
    const bytes = Buffer.concat([hello, connected({ fourCcList: ['hvc1'] }), created, started]);
    for (const step of [1, 2, 7, 100, 1_537]) {
      const { client, readyWith, sent } = open();
      client.start();
      for (let at = 0; at < bytes.length; at += step) client.push(bytes.subarray(at, at + step));
      expect(readyWith, `${step}`).toEqual([{ messageStreamId: 1, fourCcs: new Set(['hvc1']) }]);
      expect(commandsOf(sent).map(([name]) => name)).toContain('publish');
    }
  });

  it('accepts any message stream, and a server without Enhanced RTMP', () => {
    const { client, readyWith, sent } = open();
    client.start();
    client.push(Buffer.concat([hello, connected(), responseOf('_result', 4, null, 77), started]));
    expect(readyWith).toEqual([{ messageStreamId: 77, fourCcs: undefined }]);
    const bytes = new ServerBytes();
    bytes.push(Buffer.concat(sent));
    const publish = bytes.messages.find((each) => each.typeId === 20 && parseCommand(each).name === 'publish');
    expect(publish?.streamId).toBe(77);
  });

  it('responds to pings and bandwidth, and acknowledges received bytes', () => {
    const { client, sent } = open();
    client.start();
    client.push(Buffer.concat([hello, writeMessage(writeWindowAckSize(100_000)), connected()]));
    client.push(writeMessage(writeUserControl(6, 1234)));
    client.push(writeMessage(writeSetPeerBandwidth(5_000)));
    for (let i = 0; i < 30; i++)
      client.push(writeMessage({ typeId: 18, streamId: 0, timestamp: 0, payload: Buffer.alloc(5_000) }));
    const bytes = new ServerBytes();
    bytes.push(Buffer.concat(sent));
    const pongs = bytes.messages.filter(({ typeId }) => typeId === messageType.userControl);
    expect(pongs.map(({ payload }) => payload.toString('hex'))).toEqual(['0007000004d2']);
    expect(bytes.messages.some(({ typeId }) => typeId === messageType.acknowledgement)).toBe(true);
    const windows = bytes.messages.filter(({ typeId }) => typeId === messageType.windowAckSize);
    expect(windows.map(({ payload }) => payload.readUInt32BE(0))).toContain(5_000);
  });

  it.each([
    [
      'a rejected connection',
      [
        responseOf('_error', 1, null, {
          level: 'error',
          code: 'NetConnection.Connect.Rejected',
          description: 'no\napp',
        }),
      ],
      { kind: 'refused', step: 'connect', code: 'NetConnection.Connect.Rejected', description: 'no app' },
    ],
    [
      'a refused key',
      [
        connected(),
        created,
        responseOf('onStatus', 0, null, { level: 'error', code: 'NetStream.Publish.BadName', description: 'key' }),
      ],
      { kind: 'refused', step: 'publish', code: 'NetStream.Publish.BadName', description: 'key' },
    ],
    [
      'an end by the server',
      [
        connected(),
        created,
        started,
        responseOf('onStatus', 0, null, { level: 'error', code: 'NetStream.Publish.Failed' }),
      ],
      { kind: 'refused', step: 'publishing', code: 'NetStream.Publish.Failed', description: '' },
    ],
    [
      'a redirect',
      [
        responseOf('_error', 1, null, {
          code: 'NetConnection.Connect.Rejected',
          ex: { code: 302, redirect: 'rtmp://other/live' },
        }),
      ],
      { kind: 'redirect', url: 'rtmp://other/live' },
    ],
    [
      'a request to reconnect',
      [
        connected(),
        created,
        started,
        responseOf('onStatus', 0, null, { code: 'NetConnection.Connect.ReconnectRequest', tcUrl: 'rtmp://b/live' }),
      ],
      { kind: 'redirect', url: 'rtmp://b/live' },
    ],
    [
      'a challenge',
      [
        responseOf('_error', 1, null, {
          code: 'NetConnection.Connect.Rejected',
          description: '[ code=403 need auth; authmod=adobe ]',
        }),
      ],
      { kind: 'challenge', query: 'authmod=adobe&user=me' },
    ],
  ])('reports %s and sends nothing afterwards', (_what, parts, expected) => {
    const { client, outcomes, sent } = open('rtmp://me:secret@host/live');
    client.start();
    client.push(Buffer.concat([hello, ...parts, started, started]));
    expect(outcomes).toEqual([expected]);
    const before = sent.length;
    client.push(started);
    client.end();
    expect(sent).toHaveLength(before);
  });

  it('continues without releaseStream and FCPublish', () => {
    const { client, readyWith } = open();
    client.start();
    client.push(
      Buffer.concat([
        hello,
        connected(),
        responseOf('_error', 2, null),
        responseOf('_error', 3, null),
        created,
        started,
      ]),
    );
    expect(readyWith).toHaveLength(1);
  });

  it('appends the response to a challenge to application and URL', () => {
    const { client, sent } = open('rtmp://host/live?x=1', 'key', 'authmod=adobe&user=me');
    client.start();
    client.push(hello);
    const query = 'x=1&authmod=adobe&user=me';
    expect(commandsOf(sent)[0]?.[2]).toMatchObject({ app: `live?${query}`, tcUrl: `rtmp://host/live?${query}` });
  });

  it('refuses a peer that is not an RTMP server', () => {
    const { client } = open();
    client.start();
    expect(() => client.push(Buffer.from('HTTP/1.1 400 Bad Request\r\n'))).toThrow(ProtocolError);
  });

  it('survives truncated, damaged and random bytes', () => {
    const whole = Buffer.concat([hello, writeMessage(writeWindowAckSize(5_000)), connected(), created, started]);
    const feed = (...parts: Buffer[]): void => {
      const { client } = open('rtmp://me:x@host/live');
      client.start();
      try {
        for (const part of parts) client.push(part);
      } catch (error) {
        expect(error).toBeInstanceOf(ProtocolError);
      }
    };
    for (let length = hello.length; length < whole.length; length++) feed(whole.subarray(0, length));
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, value) => {
        const damaged = Buffer.from(whole);
        damaged[at] = value;
        feed(damaged);
      }),
      { seed: 37, numRuns: 2_000 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => feed(hello, Buffer.from(bytes))),
      { seed: 37 },
    );
  });
});

/** SHA-256 of all sent bytes from C0 to deleteStream. */
const golden = 'd0abc9b0778b6bf8f9b1fda93c9dd487ae45beadf42717da91ffb7f68200b5d6';
