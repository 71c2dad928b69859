// Test doubles: the session of a publisher, and a reader and a logger that record their calls.
import type { Packet } from '@srs-stack/media/packet.ts';
import type { StreamReader } from '../hub/stream-reader.ts';
import type { EngineLogger } from '../ports.ts';
import type { SessionInfo } from '../session-info.ts';

export function publisherSession(changes: Partial<SessionInfo> = {}): SessionInfo {
  return {
    vhost: '__defaultVhost__',
    app: 'live',
    stream: 's',
    clientId: 'pub00001',
    type: 'fmle-publish',
    ip: '127.0.0.1',
    param: '',
    tcUrl: 'rtmp://127.0.0.1/live',
    pageUrl: '',
    ...changes,
  };
}

/** A reader that records its calls. */
export class RecordingReader implements StreamReader {
  readonly name = 'recording';
  readonly packets: Packet[] = [];
  readonly events: string[] = [];

  onPacket(packet: Packet): void {
    this.packets.push(packet);
  }

  onMetadata(): void {
    this.events.push('metadata');
  }

  onPublisherChange(): void {
    this.events.push('publisher');
  }

  onEnd(reason: string): void {
    this.events.push(`end ${reason}`);
  }

  times(kind?: 'video' | 'audio'): number[] {
    return this.packets.filter(({ track }) => !kind || track.kind === kind).map(({ dtsMs }) => dtsMs);
  }
}

export interface RecordingLog extends EngineLogger {
  readonly lines: string[];
  readonly fields: object[];
}

export function recordingLog(): RecordingLog {
  const lines: string[] = [];
  const fields: object[] = [];
  const at = (level: string) => (values: object, message: string) => {
    lines.push(`${level} ${message}`);
    fields.push(values);
  };
  return { lines, fields, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
