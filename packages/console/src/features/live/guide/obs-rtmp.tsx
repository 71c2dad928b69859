// Accordion item 1: OBS over RTMP.
import { Trans, useTranslation } from 'react-i18next';
import { rtmpFirewallPort } from '../../../shared/publish-guide/firewall-ports.ts';
import classes from '../../../shared/publish-guide/guide.module.css';
import { useGuide } from '../../../shared/publish-guide/guide-context.ts';
import { PlayLinks, WordPressCodes } from '../../../shared/publish-guide/play-links.tsx';
import { PublishQr } from '../../../shared/publish-guide/publish-qr.tsx';
import { FirewallReminder, Steps } from '../../../shared/publish-guide/steps.tsx';
import { RtmpAddresses } from './rtmp-addresses.tsx';

const stepKeys = ['service', 'paste', 'keyframe', 'start'] as const;

export function ObsRtmp() {
  const { t } = useTranslation('live');
  const { addresses } = useGuide();
  return (
    <div className={classes.item}>
      <FirewallReminder protocol="rtmp" port={rtmpFirewallPort(addresses)} />
      <Steps>
        {stepKeys.map((key) => (
          <li key={key}>
            <Trans t={t} i18nKey={`obs.${key}`} components={{ b: <b /> }} />
          </li>
        ))}
      </Steps>
      <div className={classes.withQr}>
        <RtmpAddresses />
        <PublishQr url={addresses.rtmpPublishUrl} protocol="RTMP" />
      </div>
      <PlayLinks />
      <WordPressCodes />
    </div>
  );
}
