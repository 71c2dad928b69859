// Resource limits of each kind of media program. They limit what reading a file or stream may use, whatever size it declares.
import { availableParallelism } from 'node:os';
import type { ProgramLimits } from './program-limits.ts';

const mib = 1024 ** 2;

/** Memory of ffprobe, bytes: it uses 39 MiB, and 115 MiB when it decodes 8K frames to determine their format. */
export const probeMemoryBytes = 190 * mib;
/** Additional memory per byte of a file, bytes: a sample of an MP4 takes 40 bytes of index and rarely has less than 640 bytes. */
export const probeMemoryPerFileByte = 1 / 16;
/** Largest memory limit of ffprobe, bytes: enough for the index of two days with 60 video and 47 audio frames per second. */
export const maxProbeMemoryBytes = 768 * mib;
/** CPU time of ffprobe, seconds: a table of 60 million samples takes 1.3; its timeout is 15 s. */
export const probeCpuSeconds = 8;
/** Maximum number of pixels of a frame that any program decodes: 8K cinema (8192 × 4320). */
export const maxPicturePixels = 8_192 * 4_320;
/** Memory to decode, scale and encode one still image, bytes: 8K HEVC at 10 bit takes 435 MiB. */
export const pictureMemoryBytes = 640 * mib;
/** CPU time for one still image, seconds: 8K HEVC at 10 bit takes 0.7. */
export const pictureCpuSeconds = 10;
/** Largest image file, bytes; an image 320 pixels wide takes a tenth of it. */
export const pictureFileBytes = mib;
/** Memory of a forward, bytes: copying 8K takes 115 MiB, most of it for probing. */
export const forwardMemoryBytes = 512 * mib;
/** Memory of encoding tasks (virtual live, transcode, demo), bytes: x264 at 4K with look-ahead on two processors takes 1.1 GiB. */
export const encoderMemoryBytes = 2_048 * mib;
/** Additional memory per processor, bytes: decoder and encoder start a thread per processor, each with a stack of 8 MiB and frames. */
export const encoderMemoryPerCpuBytes = 64 * mib;
/** Memory of the audio converter, bytes; it uses 66 MiB. */
export const audioConverterMemoryBytes = 256 * mib;
/** Memory of writing an MP4, bytes: the program and the open segments. */
export const recordingMemoryBytes = 512 * mib;
/** Additional memory per second of recording, bytes: 110 samples with 148 bytes each in the index. */
export const recordingMemoryPerSecond = 16 * 1024;
/** Maximum size of an MP4 relative to its segments. It is normally slightly smaller, and larger by at most its index. */
export const recordingFileFactor = 2;
/** Additional size of an MP4, bytes: index and headers of a very short recording. */
export const recordingFileRoomBytes = 64 * mib;
/** CPU time of writing an MP4, seconds, regardless of its size. */
export const recordingCpuSeconds = 120;
/** CPU time per byte of media, seconds: 2 MiB per second of CPU time, far below the speed of copying. */
export const recordingCpuSecondsPerByte = 1 / (2 * mib);

/** Limits of ffprobe for a file of this size; call it without a size for a remote source, which has no index. */
export function probeLimits(fileSizeBytes = 0): ProgramLimits {
  const wanted = probeMemoryBytes + fileSizeBytes * probeMemoryPerFileByte;
  const memoryBytes = Math.round(Math.min(wanted, maxProbeMemoryBytes));
  return { memoryBytes, cpuSeconds: probeCpuSeconds, fileBytes: 0 };
}

/** Limits for one still image through pipes: of a live stream, or an uploaded watermark. */
export const pictureLimits: ProgramLimits = {
  memoryBytes: pictureMemoryBytes,
  cpuSeconds: pictureCpuSeconds,
  fileBytes: 0,
};

/** Limits for the poster of a recording, which is a file. */
export const posterLimits: ProgramLimits = { ...pictureLimits, fileBytes: pictureFileBytes };

/** Limits of a worker that copies. CPU time is not limited, because it runs for months. */
export const forwardLimits: ProgramLimits = { memoryBytes: forwardMemoryBytes, fileBytes: 0 };

/** Limits of a worker that may encode. */
export function encoderLimits(cpus = availableParallelism()): ProgramLimits {
  return { memoryBytes: encoderMemoryBytes + cpus * encoderMemoryPerCpuBytes, fileBytes: 0 };
}

/** Limits of the audio converter of one stream. */
export const audioConverterLimits: ProgramLimits = { memoryBytes: audioConverterMemoryBytes, fileBytes: 0 };

/** Limits for writing the MP4 of a recording. */
export function recordingLimits(media: { durationMs: number; sizeBytes: number }): ProgramLimits {
  return {
    memoryBytes: Math.round(recordingMemoryBytes + (media.durationMs / 1_000) * recordingMemoryPerSecond),
    cpuSeconds: Math.ceil(recordingCpuSeconds + media.sizeBytes * recordingCpuSecondsPerByte),
    fileBytes: Math.round(media.sizeBytes * recordingFileFactor + recordingFileRoomBytes),
  };
}
