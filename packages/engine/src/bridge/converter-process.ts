// The converter's child process and its output channel: standard output, or a UDP port of the loopback interface.
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { limitedCommand } from '@srs-stack/process/programs/limited-command.ts';
import { audioConverterLimits } from '@srs-stack/process/programs/media-limits.ts';

/** The part of a child process that is used. */
export interface ConverterProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** `error`: it could not be started; `close`: it has exited and its output is read. */
  once(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
  once(event: 'close', listener: (code: number | null, signal: NodeJS.Signals | null) => void): unknown;
  kill(signal: NodeJS.Signals): boolean;
}

export type SpawnConverter = (args: readonly string[]) => ConverterProcess;

/** FFmpeg with only PATH in its environment: it needs no secrets. It exits when this process ends. */
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

/** Binds any free UDP port on loopback; rejects with the system error. */
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
