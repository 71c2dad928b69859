// The program guide of a channel as XMLTV (xmltv.dtd) and as JSON. Pure.
import type { Channel, ProgrammeSlot } from '@srs-stack/contract/models/channel.ts';

export type GuideChannel = Pick<Channel, 'stream' | 'title'>;

export function writeXmltv({ stream, title }: GuideChannel, slots: readonly ProgrammeSlot[]): string {
  const id = escapeXml(`live/${stream}`);
  const programmes = slots
    .filter(({ cause }) => cause !== 'filler')
    .map(
      (slot) =>
        `  <programme start="${xmltvTime(slot.startsAt)}" stop="${xmltvTime(slot.endsAt)}" channel="${id}">\n` +
        `    <title>${escapeXml(slot.title)}</title>\n  </programme>\n`,
    );
  const head = `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tv SYSTEM "xmltv.dtd">\n<tv generator-info-name="SRS Stack">\n`;
  const channel = `  <channel id="${id}">\n    <display-name>${escapeXml(title || stream)}</display-name>\n  </channel>\n`;
  return `${head}${channel}${programmes.join('')}</tv>\n`;
}

/** Each entry contains only title and times. */
export function writeGuideJson({ stream, title }: GuideChannel, slots: readonly ProgrammeSlot[]): string {
  const programme = slots
    .filter(({ cause }) => cause !== 'filler')
    .map((slot) => ({ title: slot.title, startsAt: slot.startsAt, endsAt: slot.endsAt }));
  return JSON.stringify({ channel: `live/${stream}`, title: title || stream, programme });
}

/** Time in the format `20260102030405 +0000`. */
function xmltvTime(time: string): string {
  return `${new Date(time).toISOString().slice(0, 19).replace(/\D/g, '')} +0000`;
}

/** Escapes text for XML and removes control characters, which XML forbids. */
function escapeXml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&apos;',
  };
  return text.replace(/\p{Cc}/gu, ' ').replace(/[&<>"']/g, (sign) => entities[sign]!);
}
