// Resource limits of each kind of media program. A file or stream can claim any size; these bound what reading it may use.
import { availableParallelism } from 'node:os';
import type { ProgramLimits } from './program-limits.ts';

const mib = 1024 ** 2;

/** Memory of ffprobe, bytes: measured 39 MiB, and 115 MiB when it decodes 8K frames to determine their format. */
export const probeMemoryBytes = 190 * mib;
/** Added per byte of a file, bytes: a sample of an MP4 costs 40 bytes of index and rarely has less than 640 bytes. */
export const probeMemoryPerFileByte = 1 / 16;
/** Upper bound of both together, bytes: the index of two days at 60 video and 47 audio frames per second. */
export const maxProbeMemoryBytes = 768 * mib;
/** CPU time of ffprobe, seconds: a table of 60 million samples took 1.3; its timeout is 15 s. */
export const probeCpuSeconds = 8;
/** Maximum number of pixels of a frame that any program decodes: 8K cinema (8192 × 4320). */
export const maxPicturePixels = 8_192 * 4_320;
/** Memory to decode, scale and encode one still image, bytes: measured 435 MiB for 8K HEVC at 10 bit. */
export const pictureMemoryBytes = 640 * mib;
/** CPU time for one still image, seconds: measured 0.7 for 8K HEVC at 10 bit. */
export const pictureCpuSeconds = 10;
/** Largest image file, bytes: an image 320 pixels wide at this quality takes a tenth. */
export const pictureFileBytes = mib;
/** Memory of a forward, bytes: measured 115 MiB for a copy of 8K, most of it for probing. */
export const forwardMemoryBytes = 512 * mib;
/** Memory of encoding tasks (virtual live, transcode, demo), bytes: measured 1.1 GiB for x264 at 4K with look-ahead on two processors. */
export const encoderMemoryBytes = 2_048 * mib;
/** Added per processor, bytes: decoder and encoder start a thread per processor, each with a stack of 8 MiB and frames. */
export const encoderMemoryPerCpuBytes = 64 * mib;
/** Memory of the audio converter, bytes: measured 66 MiB. */
export const audioConverterMemoryBytes = 256 * mib;
/** Memory of writing an MP4, bytes: the program and the open segments. */
export const recordingMemoryBytes = 512 * mib;
/** Added per second of recording, bytes: 110 samples, with room for 148 bytes each in the index. */
export const recordingMemoryPerSecond = 16 * 1024;
/** Size of an MP4 relative to its segments: normally slightly smaller, at most larger by its index. */
export const recordingFileFactor = 2;
/** Added to that, bytes: index and headers of a very short recording. */
export const recordingFileRoomBytes = 64 * mib;
/** CPU time of writing an MP4, seconds: a constant part. */
export const recordingCpuSeconds = 120;
/** CPU time per byte of media, seconds: 2 MiB per second of CPU time, far below the speed of copying. */
export const recordingCpuSecondsPerByte = 1 / (2 * mib);

/** For ffprobe on a file of this size; omit the size for a remote source, which has no index. */
export function probeLimits(fileSizeBytes = 0): ProgramLimits {
  const wanted = probeMemoryBytes + fileSizeBytes * probeMemoryPerFileByte;
  const memoryBytes = Math.round(Math.min(wanted, maxProbeMemoryBytes));
  return { memoryBytes, cpuSeconds: probeCpuSeconds, fileBytes: 0 };
}

/** For one still image through pipes: of a live stream, or an uploaded watermark. */
export const pictureLimits: ProgramLimits = {
  memoryBytes: pictureMemoryBytes,
  cpuSeconds: pictureCpuSeconds,
  fileBytes: 0,
};

/** For the image of a recording, which is a file. */
export const posterLimits: ProgramLimits = { ...pictureLimits, fileBytes: pictureFileBytes };

/** For a worker that copies. It runs for months, so CPU time is not limited. */
export const forwardLimits: ProgramLimits = { memoryBytes: forwardMemoryBytes, fileBytes: 0 };

/** For a worker that may encode. */
export function encoderLimits(cpus = availableParallelism()): ProgramLimits {
  return { memoryBytes: encoderMemoryBytes + cpus * encoderMemoryPerCpuBytes, fileBytes: 0 };
}

/** For the audio converter of one stream. */
export const audioConverterLimits: ProgramLimits = { memoryBytes: audioConverterMemoryBytes, fileBytes: 0 };

/** For writing the MP4 of a recording. */
export function recordingLimits(media: { durationMs: number; sizeBytes: number }): ProgramLimits {
  return {
    memoryBytes: Math.round(recordingMemoryBytes + (media.durationMs / 1_000) * recordingMemoryPerSecond),
    cpuSeconds: Math.ceil(recordingCpuSeconds + media.sizeBytes * recordingCpuSecondsPerByte),
    fileBytes: Math.round(media.sizeBytes * recordingFileFactor + recordingFileRoomBytes),
  };
}
