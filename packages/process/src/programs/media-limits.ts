// Resource limits of each kind of media program. They also hold for files and streams that declare extreme sizes.
import { availableParallelism } from 'node:os';
import type { ProgramLimits } from './program-limits.ts';

const mib = 1024 ** 2;

/** Memory of ffprobe, bytes. ffprobe uses 39 MiB, or 115 MiB if it must decode 8K frames to detect their format. */
export const probeMemoryBytes = 190 * mib;
/**
 * Additional memory per byte of a file, bytes. The index of an MP4 takes 40 bytes of memory per sample, and samples rarely have less than
 * 640 bytes.
 */
export const probeMemoryPerFileByte = 1 / 16;
/** Largest memory limit of ffprobe, bytes: enough for the index of two days with 60 video and 47 audio frames per second. */
export const maxProbeMemoryBytes = 768 * mib;
/** CPU time of ffprobe, seconds. A table of 60 million samples takes 1.3 s. The timeout of ffprobe is 15 s. */
export const probeCpuSeconds = 8;
/** Maximum number of pixels of a frame that any program decodes: 8K cinema (8192 × 4320). */
export const maxPicturePixels = 8_192 * 4_320;
/** Memory to decode, scale and encode a still image, bytes. 8K HEVC at 10 bit takes 435 MiB. */
export const imageMemoryBytes = 640 * mib;
/** CPU time for a still image, seconds. 8K HEVC at 10 bit takes 0.7 s. */
export const imageCpuSeconds = 10;
/** Largest image file, bytes: ten times the size of an image 320 pixels wide. */
export const imageFileBytes = mib;
/** Memory of a task that copies, bytes. Copying 8K takes 115 MiB, mostly for probing. */
export const forwardMemoryBytes = 512 * mib;
/** Memory of programs that encode video, bytes. x264 at 4K with look-ahead on two processors takes 1.1 GiB. */
export const encoderMemoryBytes = 2_048 * mib;
/** Additional memory per processor, bytes. Decoder and encoder start a thread per processor, each with frames and a stack of 8 MiB. */
export const encoderMemoryPerCpuBytes = 64 * mib;
/** Memory of the audio converter, bytes. It uses 66 MiB. */
export const audioConverterMemoryBytes = 256 * mib;
/** Memory for writing an MP4, bytes: the program and the open segments. */
export const recordingMemoryBytes = 512 * mib;
/** Additional memory per second of recording, bytes: 110 index entries of 148 bytes. */
export const recordingMemoryPerSecond = 16 * 1024;
/** Maximum size of an MP4 relative to its segments. An MP4 is usually slightly smaller; its index adds little. */
export const recordingFileFactor = 2;
/** Additional size of an MP4, bytes: index and headers of a very short recording. */
export const recordingFileRoomBytes = 64 * mib;
/** CPU time for writing an MP4, seconds, regardless of its size. */
export const recordingCpuSeconds = 120;
/** CPU time per byte of media, seconds. This allows 2 MiB per second, far below the speed of copying. */
export const recordingCpuSecondsPerByte = 1 / (2 * mib);

/** Limits of ffprobe for a file of this size. A remote source has no index and needs no size. */
export function probeLimits(fileSizeBytes = 0): ProgramLimits {
  const wanted = probeMemoryBytes + fileSizeBytes * probeMemoryPerFileByte;
  const memoryBytes = Math.round(Math.min(wanted, maxProbeMemoryBytes));
  return { memoryBytes, cpuSeconds: probeCpuSeconds, fileBytes: 0 };
}

/** Limits for a still image through pipes, of a live stream or an uploaded watermark. */
export const imageLimits: ProgramLimits = {
  memoryBytes: imageMemoryBytes,
  cpuSeconds: imageCpuSeconds,
  fileBytes: 0,
};

/** Limits for a still image that is written to a file: the poster of a recording, or an image of the seek bar. */
export const posterLimits: ProgramLimits = { ...imageLimits, fileBytes: imageFileBytes };

/** Limits of a worker that copies. CPU time is unlimited, because such a worker runs for months. */
export const forwardLimits: ProgramLimits = { memoryBytes: forwardMemoryBytes, fileBytes: 0 };

/** Limits of a program that may encode. */
export function encoderLimits(cpus = availableParallelism()): ProgramLimits {
  return { memoryBytes: encoderMemoryBytes + cpus * encoderMemoryPerCpuBytes, fileBytes: 0 };
}

export const audioConverterLimits: ProgramLimits = { memoryBytes: audioConverterMemoryBytes, fileBytes: 0 };

/** Limits for writing the MP4 of a recording. */
export function recordingLimits(media: { durationMs: number; sizeBytes: number }): ProgramLimits {
  return {
    memoryBytes: Math.round(recordingMemoryBytes + (media.durationMs / 1_000) * recordingMemoryPerSecond),
    cpuSeconds: Math.ceil(recordingCpuSeconds + media.sizeBytes * recordingCpuSecondsPerByte),
    fileBytes: Math.round(media.sizeBytes * recordingFileFactor + recordingFileRoomBytes),
  };
}
