// The accordion of the Live page: an introduction, then an item for each way to publish.
import { Text } from '@mantine/core';
import {
  IconBrandChrome,
  IconBroadcast,
  IconDeviceCctv,
  IconInfoCircle,
  IconSatellite,
  IconTerminal2,
  IconWorldUpload,
} from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useEnvironment } from '../../../shared/environment.ts';
import classes from '../../../shared/publish-guide/guide.module.css';
import { useProtocolsOff } from '../../../shared/publish-guide/use-protocol-off.ts';
import { Section, Sections } from '../../../ui/sections.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { BrowserWhip } from './browser-whip.tsx';
import { FfmpegRtmp } from './ffmpeg-rtmp.tsx';
import { FfmpegSrt } from './ffmpeg-srt.tsx';
import { ObsRtmp } from './obs-rtmp.tsx';
import { ObsSrt } from './obs-srt.tsx';
import { ObsWhip } from './obs-whip.tsx';
import { Rtsp } from './rtsp.tsx';

const items = [
  { value: '1', key: 'obsRtmp', protocol: 'rtmp', Icon: IconBroadcast, Content: ObsRtmp },
  { value: '2', key: 'ffmpegRtmp', protocol: 'rtmp', Icon: IconTerminal2, Content: FfmpegRtmp },
  { value: '3', key: 'obsSrt', protocol: 'srt', Icon: IconSatellite, Content: ObsSrt },
  { value: '4', key: 'ffmpegSrt', protocol: 'srt', Icon: IconTerminal2, Content: FfmpegSrt },
  { value: '5', key: 'browserWhip', protocol: 'webrtc', Icon: IconBrandChrome, Content: BrowserWhip },
  { value: '6', key: 'obsWhip', protocol: 'webrtc', Icon: IconWorldUpload, Content: ObsWhip },
] as const;

/** Number of the RTSP item, which is shown only if the server has an RTSP port. */
const rtspItem = '7';

/** The query `?item=` opens another item than the first and scrolls to it. */
export function LiveGuide() {
  const { t } = useTranslation('live');
  const requested = useSearchParams()[0].get('item');
  const hasRtsp = useEnvironment().rtspPort !== undefined;
  const known = [...items.map(({ value }) => value as string), ...(hasRtsp ? [rtspItem] : [])];
  const open = known.find((value) => value === requested);
  const isOff = useProtocolsOff();
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (open) frame.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'start' });
  }, [open]);
  return (
    <div ref={frame}>
      <Sections key={open} defaultOpen={open ?? '1'}>
        <Section value="0" title={t('items.introduction.title')} icon={<IconInfoCircle aria-hidden />}>
          <Introduction />
        </Section>
        {items.map(({ value, key, protocol, Icon, Content }) => (
          <Section
            key={value}
            value={value}
            title={t(`items.${key}.title`)}
            summary={t(`items.${key}.summary`)}
            icon={<Icon aria-hidden />}
            badge={isOff(protocol) && <StatusBadge state="stopped">{t('protocolOff.badge')}</StatusBadge>}
          >
            <Content />
          </Section>
        ))}
        {hasRtsp && (
          <Section
            value={rtspItem}
            title={t('items.rtsp.title')}
            summary={t('items.rtsp.summary')}
            icon={<IconDeviceCctv aria-hidden />}
          >
            <Rtsp />
          </Section>
        )}
      </Sections>
    </div>
  );
}

const introductionKeys = ['publish', 'watch', 'srt', 'webrtc', 'secret', 'guests'] as const;

function Introduction() {
  const { t } = useTranslation('live');
  return (
    <div className={classes.prose}>
      <Text>{t('introduction.what')}</Text>
      <ul>
        {introductionKeys.map((key) => (
          <li key={key}>{t(`introduction.${key}`)}</li>
        ))}
      </ul>
    </div>
  );
}
