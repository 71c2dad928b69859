// Pushes of streams that FFmpeg publishes, to targets on real sockets.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createClientHandshake } from '@srs-stack/media/protocols/rtmp/client-handshake.ts';
import { writeCommand } from '@srs-stack/media/protocols/rtmp/command-message.ts';
import { writeMessage } from '@srs-stack/media/protocols/rtmp/testing/wire-client.ts';
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { afterEach, beforeEach, onTestFinished } from 'vitest';
import type { PushOrder, PushSnapshot } from '../src/sessions/push/push-status.ts';
import { Pushes } from '../src/sessions/push/pushes.ts';
import { ffmpeg, type RtmpServer, type RunningProcess, startRtmpServer, testConfig, until } from './rtmp-server.ts';

const silent = () => undefined;
const log = { debug: silent, info: silent, warn: silent, error: silent };

export const sourceKey = { vhost: defaultVhost, app: 'live', stream: 's' };

export const order = (id: string, server: string, key = id): PushOrder => ({ ...{ id, server, key }, ...sourceKey });

interface PushRig {
  /** The server from which streams are pushed. */
  source: RtmpServer;
  pushes: Pushes;
  reopen(options: Partial<ConstructorParameters<typeof Pushes>[0]>): void;
  rowOf(id: string): PushSnapshot;
  /** Resolves with the row when the push is in one of these states. */
  untilState(id: string, ...states: string[]): Promise<PushSnapshot>;
  /** Publishes moving video with a tone until the test ends or kills the process. */
  publish(): RunningProcess;
  /** Publishes at a bitrate that quickly fills every socket buffer: 70 Mbps for the default size. */
  fill(size?: string): void;
}

export function usePushRig(): PushRig {
  const open = (options: Partial<ConstructorParameters<typeof Pushes>[0]> = {}): Pushes =>
    new Pushes({
      ...{ hub: rig.source.hub, config: testConfig, log },
      onFault: (error) => {
        throw error;
      },
      ...{ clock: () => performance.now(), mayContact: () => true, random: () => 0.5, ...options },
    });
  const rowOf = (id: string): PushSnapshot => rig.pushes.snapshots().find((row) => row.id === id)!;
  const rig = {
    reopen: (options) => {
      rig.pushes.close();
      rig.pushes = open(options);
    },
    rowOf,
    untilState: async (id, ...states) => {
      await until(() => states.includes(rowOf(id).state));
      return rowOf(id);
    },
    publish: () => {
      const process = ffmpeg(
        ...['-re', '-f', 'lavfi', '-i', 'testsrc2=s=128x72:r=25', '-f', 'lavfi', '-i', 'sine', '-t', '600'],
        ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-bf', '2', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
        ...['-f', 'flv', `${rig.source.url}/live/s`],
      );
      onTestFinished(() => process.kill());
      return process;
    },
    fill: (size = '640x360') => {
      const process = ffmpeg(
        ...['-re', '-f', 'lavfi', '-i', `nullsrc=s=${size}:r=25,geq=random(1)*255:128:128`, '-t', '600'],
        ...['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '1', '-g', '12', '-pix_fmt', 'yuv420p'],
        ...['-f', 'flv', `${rig.source.url}/live/s`],
      );
      onTestFinished(() => process.kill());
    },
  } as PushRig;
  beforeEach(async () => {
    rig.source = await startRtmpServer();
    rig.pushes = open();
  });
  afterEach(async () => {
    rig.pushes.close();
    await rig.source.close();
  });
  return rig;
}

export async function listen(onSocket: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', silent);
    onSocket(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `rtmp://127.0.0.1:${(server.address() as AddressInfo).port}/live`;
}

export const command = (...values: Parameters<typeof writeCommand>[2][]): Buffer =>
  writeMessage(writeCommand(0, false, ...values));

/** Sends S0 to S2, and these commands after the client's first bytes. */
export function respondingWith(...commands: Buffer[]): (socket: Socket) => void {
  return (socket) => {
    const { hello } = createClientHandshake((bytes) => Buffer.alloc(bytes, 7));
    socket.once('data', () => socket.write(Buffer.concat([hello, Buffer.alloc(1_536), ...commands])));
  };
}

export const accepting = respondingWith(
  command('_result', 1, {}, { code: 'NetConnection.Connect.Success' }),
  command('_result', 4, null, 9),
  command('onStatus', 0, null, { level: 'status', code: 'NetStream.Publish.Start' }),
);

export const redirecting = (url: string): ((socket: Socket) => void) =>
  respondingWith(
    command('_error', 1, null, { code: 'NetConnection.Connect.Rejected', ex: { code: 302, redirect: url } }),
  );
