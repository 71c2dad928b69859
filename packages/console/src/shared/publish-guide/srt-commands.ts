import type { AddressSet } from '@srs-stack/contract';
import { quoteArgument } from '@srs-stack/contract/addresses.ts';

export interface SrtCommandLines {
  ffmpegFile: string;
  ffmpegTestPattern: string;
  ffmpegReencode: string;
  ffplay: string;
}

/** Sends every audio frame immediately instead of filling a PES packet first. */
const toTransportStream = '-pes_payload_size 0 -f mpegts';
// A keyframe every 2 s lets players start quickly. Every browser decodes yuv420p.
const encode = '-c:v libx264 -preset veryfast -tune zerolatency -pix_fmt yuv420p -g 60 -c:a aac -b:a 128k';
const pattern = '-f lavfi -i testsrc2=size=1280x720:rate=30 -f lavfi -i sine=frequency=440';

export function srtCommandLines(set: Pick<AddressSet, 'srtPublishUrl' | 'srtPlayUrl'>): SrtCommandLines {
  const publish = `${toTransportStream} ${quoteArgument(set.srtPublishUrl)}`;
  return {
    ffmpegFile: `ffmpeg -re -i source.mp4 -c copy ${publish}`,
    ffmpegTestPattern: `ffmpeg -re ${pattern} ${encode} ${publish}`,
    ffmpegReencode: `ffmpeg -re -i source.mp4 ${encode} -r 30 ${publish}`,
    ffplay: `ffplay -fflags nobuffer -flags low_delay ${quoteArgument(set.srtPlayUrl)}`,
  };
}
