// The FFmpeg process of a converter. The output arrives on standard output or on a UDP port of loopback.
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { limitedCommand } from '@srs-stack/process/programs/limited-command.ts';
import { audioConverterLimits } from '@srs-stack/process/programs/media-limits.ts';

/** Used part of a child process. */
export interface ConverterProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** `error`: could not be started. `close`: exited, and all output is read. */
  once(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
  once(event: 'close', listener: (code: number | null, signal: NodeJS.Signals | null) => void): unknown;
  kill(signal: NodeJS.Signals): boolean;
}

export type SpawnConverter = (args: readonly string[]) => ConverterProcess;

/** Starts FFmpeg with only PATH in the environment, so FFmpeg gets no secrets. FFmpeg exits with this process. */
export const spawnFfmpeg: SpawnConverter = (wanted) => {
  const { program, args } = limitedCommand('ffmpeg', wanted, audioConverterLimits);
  return spawn(program, args, { env: { PATH: process.env.PATH }, stdio: ['pipe', 'pipe', 'pipe'] });
};

export interface LoopbackPort {
  readonly port: number;
  /** Idempotent. */
  close(): void;
}

export type OpenLoopbackPort = (onDatagram: (datagram: Buffer) => void) => Promise<LoopbackPort>;

/** Binds a free UDP port on loopback. Rejects with the system error. */
export const openLoopbackPort: OpenLoopbackPort = async (onDatagram) => {
  const socket = createSocket('udp4');
  socket.on('message', onDatagram);
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  socket.on('error', () => {});
  let isOpen = true;
  return {
    port: socket.address().port,
    close() {
      if (isOpen) socket.close();
      isOpen = false;
    },
  };
};
