// What each kind of media program may use. A file or stream says how much memory reading it takes; these say how much it gets.
import { availableParallelism } from 'node:os';
import type { ProgramLimits } from './program-limits.ts';

const mib = 1024 ** 2;

/** Memory of ffprobe, bytes: measured 39 MiB for itself and 115 MiB where it decodes 8K pictures to name their format. */
export const probeMemoryBytes = 190 * mib;
/** … and per byte of a file, bytes: a sample of an MP4 costs 40 bytes of index, and has seldom less than 640 bytes. */
export const probeMemoryPerFileByte = 1 / 16;
/** … and at most, bytes: the index of two days at 60 pictures and 47 frames of sound per second. */
export const maxProbeMemoryBytes = 768 * mib;
/** Time of ffprobe on processors, seconds: a table of 60 million samples took 1.3; it has 15 s on the clock. */
export const probeCpuSeconds = 8;
/** Most pixels of a picture that is decoded, by whatever program: 8K cinema (8192 × 4320). */
export const maxPicturePixels = 8_192 * 4_320;
/** Memory to decode, scale and encode one still picture, bytes: measured 435 MiB for 8K HEVC at 10 bit. */
export const pictureMemoryBytes = 640 * mib;
/** Time for one still picture on processors, seconds: measured 0.7 for 8K HEVC at 10 bit. */
export const pictureCpuSeconds = 10;
/** Largest picture file, bytes: 320 pixels wide at this quality is a tenth of it. */
export const pictureFileBytes = mib;
/** Memory of a forward, bytes: measured 115 MiB for a copy of 8K, most of it to learn what is copied. */
export const forwardMemoryBytes = 512 * mib;
/** Memory of what encodes (virtual live, transcode, demo), bytes: measured 1.1 GiB for x264 at 4K with its look-ahead on two processors. */
export const encoderMemoryBytes = 2_048 * mib;
/** … and per processor, bytes: decoder and encoder start threads by their number, each with a stack of 8 MiB and pictures. */
export const encoderMemoryPerCpuBytes = 64 * mib;
/** Memory of the sound converter, bytes: measured 66 MiB. */
export const soundMemoryBytes = 256 * mib;
/** Memory of writing an MP4, bytes: the program and the segments at hand. */
export const recordingMemoryBytes = 512 * mib;
/** … and per second of recording, bytes: 110 samples, with room for 148 bytes each in the index. */
export const recordingMemoryPerSecond = 16 * 1024;
/** An MP4 may be this many times as large as its segments: it is a little smaller than they, or larger by its index. */
export const recordingFileFactor = 2;
/** … and this much beside, bytes: index and headers of a very short one. */
export const recordingFileRoomBytes = 64 * mib;
/** Time of writing an MP4 on processors, seconds: to begin with, and … */
export const recordingCpuSeconds = 120;
/** … per byte of media: 2 MiB in a second of processor time, far below what copying reaches. */
export const recordingCpuSecondsPerByte = 1 / (2 * mib);

/** For ffprobe on a file of this size; without one for a remote source, which has no index. */
export function probeLimits(fileSizeBytes = 0): ProgramLimits {
  const wanted = probeMemoryBytes + fileSizeBytes * probeMemoryPerFileByte;
  const memoryBytes = Math.round(Math.min(wanted, maxProbeMemoryBytes));
  return { memoryBytes, cpuSeconds: probeCpuSeconds, fileBytes: 0 };
}

/** For one still picture through pipes: of a live stream, or an uploaded watermark. */
export const pictureLimits: ProgramLimits = {
  memoryBytes: pictureMemoryBytes,
  cpuSeconds: pictureCpuSeconds,
  fileBytes: 0,
};

/** For the picture of a recording, which is a file. */
export const posterLimits: ProgramLimits = { ...pictureLimits, fileBytes: pictureFileBytes };

/** For a worker that copies. It runs for months, so that time on processors says nothing. */
export const forwardLimits: ProgramLimits = { memoryBytes: forwardMemoryBytes, fileBytes: 0 };

/** For a worker that may encode. */
export function encoderLimits(cpus = availableParallelism()): ProgramLimits {
  return { memoryBytes: encoderMemoryBytes + cpus * encoderMemoryPerCpuBytes, fileBytes: 0 };
}

/** For the sound converter of one stream. */
export const soundLimits: ProgramLimits = { memoryBytes: soundMemoryBytes, fileBytes: 0 };

/** For writing the MP4 of a recording. */
export function recordingLimits(media: { durationMs: number; sizeBytes: number }): ProgramLimits {
  return {
    memoryBytes: Math.round(recordingMemoryBytes + (media.durationMs / 1_000) * recordingMemoryPerSecond),
    cpuSeconds: Math.ceil(recordingCpuSeconds + media.sizeBytes * recordingCpuSecondsPerByte),
    fileBytes: Math.round(media.sizeBytes * recordingFileFactor + recordingFileRoomBytes),
  };
}
