// Programs that send MPEG-TS or write HLS, and UDP ports, for tests of pulled sources.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { type RunningProcess, start } from './rtmp-server.ts';

const input = [
  ...['-re', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25'],
  ...['-re', '-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000'],
];
const encode = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p', '-g', '25'];
const audio = ['-c:a', 'aac', '-b:a', '64k'];

/** Sends a moving image and a tone with FFmpeg in real time until the test ends. `output` contains FFmpeg's last arguments. */
export function sendWithFfmpeg(...output: string[]): RunningProcess {
  return started('ffmpeg', ['-v', 'error', '-nostdin', ...input, ...encode, ...audio, ...output]);
}

/** Sends only video with GStreamer. `sink` contains the elements after the muxer. */
export function sendWithGstreamer(...sink: string[]): RunningProcess {
  const source = ['videotestsrc', 'is-live=true', '!', 'video/x-raw,width=320,height=180,framerate=25/1', '!'];
  const encoder = ['x264enc', 'tune=zerolatency', 'speed-preset=ultrafast', 'key-int-max=25', '!', 'h264parse', '!'];
  return started('gst-launch-1.0', ['-q', ...source, ...encoder, 'mpegtsmux', 'alignment=7', '!', ...sink]);
}

export function started(program: string, args: readonly string[]): RunningProcess {
  const process = start(program, args);
  onTestFinished(async () => {
    process.kill();
    await process.done;
  });
  return process;
}

export async function freeUdpPort(address = '127.0.0.1'): Promise<number> {
  const socket = await udpSocket(address);
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return port;
}

export async function udpSocket(address = '127.0.0.1'): Promise<Socket> {
  const socket = createSocket('udp4').bind(0, address);
  await once(socket, 'listening');
  return socket;
}
