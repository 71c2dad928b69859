// A publisher over SRT once it is let in: MPEG-TS payloads → packets → publication. Knows nothing of sockets and permissions.
import { TsDemuxer } from '../containers/mpegts/ts-demuxer.ts';
import type { Publication } from '../hub/stream-hub.ts';
import type { StreamEndReason } from '../hub/stream-reader.ts';

export class SrtPublisher {
  private readonly publication: Publication;
  private readonly demuxer: TsDemuxer;

  constructor(publication: Publication) {
    this.publication = publication;
    this.demuxer = new TsDemuxer({
      onTrack: (track) => publication.setTrack(track),
      onPacket: (packet) => publication.push(packet),
    });
  }

  handlePayload(payload: Buffer): void {
    this.publication.countReceived(payload.length);
    this.demuxer.push(payload);
  }

  end(reason: StreamEndReason): void {
    this.demuxer.flush();
    this.publication.end(reason);
  }
}
