import { Anchor } from '@mantine/core';
import { wordpressShortcodes } from '@srs-stack/contract/addresses.ts';
import { calls } from '@srs-stack/contract/calls.ts';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { apiQuery } from '../../api/api-query.ts';
import { ofLocale } from '../../i18n/of-locale.ts';
import { useLocale } from '../../navigation/current-locale.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import classes from './guide.module.css';
import { useGuide } from './guide-context.ts';
import { MaskedCode } from './masked-code.tsx';
import { ProtectedNote } from './protected-note.tsx';
import { ProtocolOff } from './protocol-off.tsx';
import { regionalExtras } from './regional.ts';
import { type Protocol, useProtocolsOff } from './use-protocol-off.ts';
import { useWebrtcAvailability } from './use-webrtc-availability.ts';

interface PlayerLink {
  text: string;
  path: string;
}

export function PlayLinks() {
  const { t } = useTranslation('live');
  const { addresses } = useGuide();
  const { play } = useWebrtcAvailability();
  const isOff = useProtocolsOff();
  const simple = t('guide.simplePlayer');
  const alternate = t('guide.alternatePlayer');
  return (
    <div className={classes.stack}>
      <h3 className={classes.subtitle}>{t('guide.play')}</h3>
      <ProtectedNote />
      <WatchPage />
      <PlayAddress
        protocol="flv"
        isOff={isOff('flv')}
        label={t('guide.flvAddress')}
        url={addresses.flvUrl}
        players={[
          { text: simple, path: addresses.flvPlayer },
          { text: alternate, path: addresses.flvAlternatePlayer },
        ]}
      />
      <PlayAddress
        protocol="hls"
        isOff={isOff('hls')}
        label={t('guide.hlsAddress')}
        url={addresses.m3u8Url}
        players={[
          { text: simple, path: addresses.hlsPlayer },
          { text: alternate, path: addresses.hlsAlternatePlayer },
        ]}
      />
      <LowLatencyAddress isOff={isOff('hls')} />
      {play && (
        <PlayAddress
          protocol="webrtc"
          isOff={isOff('webrtc')}
          label={t('guide.whepAddress')}
          url={addresses.whepUrl}
          players={[{ text: t('guide.webrtcPlayer'), path: addresses.rtcPlayer }]}
        />
      )}
      <MediaServerConsole />
    </div>
  );
}

function LowLatencyAddress({ isOff }: { isOff: boolean }) {
  const { t } = useTranslation('live');
  const { addresses } = useGuide();
  const { data } = useQuery({ ...apiQuery(calls.queryLowLatencyHls, {}), retry: false });
  if (isOff || !data?.hlsLowLatency) return null;
  return (
    <PlayAddress
      protocol="hls"
      isOff={false}
      label={t('guide.lowLatencyAddress')}
      url={addresses.lowLatencyM3u8Url}
      players={[{ text: t('guide.simplePlayer'), path: addresses.lowLatencyHlsPlayer }]}
    />
  );
}

function WatchPage() {
  const { t } = useTranslation('live');
  const { watchPage } = useGuide().addresses;
  return (
    <div>
      <CopyField label={t('guide.watchPage')} value={watchPage} />
      <ul className={classes.players}>
        <li>
          <Anchor href={watchPage.slice(new URL(watchPage).origin.length)} target="_blank" rel="noopener" size="sm">
            {t('guide.openWatchPage')} <IconExternalLink size={14} aria-hidden className={classes.external} />
          </Anchor>
        </li>
      </ul>
    </div>
  );
}

interface PlayAddressProps {
  protocol: Protocol;
  isOff: boolean;
  label: string;
  url: string;
  players: readonly PlayerLink[];
}

function PlayAddress({ protocol, isOff, label, url, players }: PlayAddressProps) {
  const { t } = useTranslation('live');
  if (isOff) return <ProtocolOff protocol={protocol} isBrief />;
  return (
    <div>
      <CopyField label={label} value={url} />
      <ul className={classes.players}>
        {players.map(({ text, path }) => (
          <li key={path}>
            <Anchor href={path} target="_blank" rel="noopener" size="sm">
              {text} <IconExternalLink size={14} aria-hidden className={classes.external} />
            </Anchor>
            <CopyButton value={new URL(path, location.origin).href} name={t('guide.shareLink', { player: text })} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function MediaServerConsole() {
  const { t } = useTranslation('live');
  const { addresses } = useGuide();
  const { mediaServerConsole } = ofLocale(regionalExtras, useLocale());
  return (
    <Anchor href={addresses[mediaServerConsole]} target="_blank" rel="noopener" size="sm">
      {t('guide.mediaServerConsole')} <IconExternalLink size={14} aria-hidden className={classes.external} />
    </Anchor>
  );
}

export function WordPressCodes() {
  const { t } = useTranslation('live');
  const codes = wordpressShortcodes(useGuide().addresses);
  return (
    <details className={classes.details}>
      <summary>{t('guide.wordpress')}</summary>
      <div className={classes.stack}>
        <p className={classes.note}>{t('guide.wordpressNote')}</p>
        <LabelledCode name={t('guide.wordpressFlv')} code={codes.flv} />
        <LabelledCode name={t('guide.wordpressHls')} code={codes.hls} />
        <LabelledCode name={t('guide.wordpressWebrtc')} code={codes.webrtc} />
        <MaskedCode name={t('guide.wordpressPublisher')} code={codes.publisher} />
      </div>
    </details>
  );
}

function LabelledCode({ name, code }: { name: string; code: string }) {
  return (
    <div>
      <div className={classes.codeName}>{name}</div>
      <CodeBlock name={name} code={code} />
    </div>
  );
}
