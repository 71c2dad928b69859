// Initialization segment of fragmented MP4 (CMAF header): describes the tracks and contains no samples. ISO/IEC 14496-12 §8.2 to §8.8,
// ISO/IEC 23000-19 §7.3.1.
import { box, fullBox, uint16, uint32, zeros } from './boxes.ts';
import type { Fmp4Track } from './fmp4-track.ts';

/** The brand `iso6` means that offsets count from the start of a fragment, as CMAF and HLS require. */
const fileType = box('ftyp', Buffer.from('iso6'), uint32(1), Buffer.from('iso6cmfcmp41'));
/** Timescale of the movie header, milliseconds; fragments do not use it. */
const movieTimescale = 1_000;
/** Unity matrix, §6.2.2. */
const matrix = uint32(0x0001_0000, 0, 0, 0, 0x0001_0000, 0, 0, 0, 0x4000_0000);
/** Language code `und` (undetermined). */
const undetermined = 0x55c4;
const trackIsEnabledAndPlayed = 3;

export function writeInitSegment(tracks: readonly Fmp4Track[]): Buffer {
  const nextTrackId = Math.max(0, ...tracks.map(({ id }) => id)) + 1;
  const header = fullBox(
    'mvhd',
    0,
    0,
    uint32(0, 0, movieTimescale, 0, 0x0001_0000),
    uint16(0x0100, 0),
    zeros(8),
    matrix,
    zeros(24),
    uint32(nextTrackId),
  );
  const extensions = tracks.map(({ id }) => fullBox('trex', 0, 0, uint32(id, 1, 0, 0, 0)));
  return Buffer.concat([fileType, box('moov', header, tracks.map(writeTrack), box('mvex', extensions))]);
}

function writeTrack(track: Fmp4Track): Buffer {
  const { id, media } = track;
  const isVideo = media.kind === 'video';
  const size = isVideo ? uint16(media.width, 0, media.height, 0) : zeros(8);
  const volume = isVideo ? 0 : 0x0100;
  const header = fullBox(
    'tkhd',
    0,
    trackIsEnabledAndPlayed,
    uint32(0, 0, id, 0, 0),
    zeros(8),
    uint16(0, 0, volume, 0),
    matrix,
    size,
  );
  return box('trak', header, writeMedia(track));
}

function writeMedia({ media, timescale, entry }: Fmp4Track): Buffer {
  const isVideo = media.kind === 'video';
  const name = Buffer.from(`${isVideo ? 'Video' : 'Sound'}Handler\0`);
  return box(
    'mdia',
    fullBox('mdhd', 0, 0, uint32(0, 0, timescale, 0), uint16(undetermined, 0)),
    fullBox('hdlr', 0, 0, zeros(4), Buffer.from(isVideo ? 'vide' : 'soun'), zeros(12), name),
    box(
      'minf',
      isVideo ? fullBox('vmhd', 0, 1, zeros(8)) : fullBox('smhd', 0, 0, zeros(4)),
      dataInformation,
      table(entry),
    ),
  );
}

/** Flag 1 of `url `: the samples are in this file. */
const dataInformation = box('dinf', fullBox('dref', 0, 0, uint32(1), fullBox('url ', 0, 1)));

function table(entry: Buffer): Buffer {
  return box(
    'stbl',
    fullBox('stsd', 0, 0, uint32(1), entry),
    fullBox('stts', 0, 0, uint32(0)),
    fullBox('stsc', 0, 0, uint32(0)),
    fullBox('stsz', 0, 0, uint32(0, 0)),
    fullBox('stco', 0, 0, uint32(0)),
  );
}
