// Accordion item 3: OBS over SRT.
import { Trans, useTranslation } from 'react-i18next';
import { srtFirewallPort } from '../../../shared/publish-guide/firewall-ports.ts';
import guide from '../../../shared/publish-guide/guide.module.css';
import { useGuide } from '../../../shared/publish-guide/guide-context.ts';
import { PlayLinks, WordPressCodes } from '../../../shared/publish-guide/play-links.tsx';
import { PublishQr } from '../../../shared/publish-guide/publish-qr.tsx';
import { FirewallReminder, Steps } from '../../../shared/publish-guide/steps.tsx';
import { WholeAddress } from './whole-address.tsx';

const stepKeys = ['service', 'paste', 'keyframe', 'start'] as const;

export function ObsSrt() {
  const { t } = useTranslation('live');
  const { addresses } = useGuide();
  return (
    <div className={guide.item}>
      <FirewallReminder protocol="srt" port={srtFirewallPort(addresses)} />
      <Steps>
        {stepKeys.map((key) => (
          <li key={key}>
            <Trans t={t} i18nKey={`obsSrt.${key}`} components={{ b: <b /> }} />
          </li>
        ))}
      </Steps>
      <div className={guide.withQr}>
        <WholeAddress url={addresses.srtPublishUrl} emptyField={t('guide.streamKey')} />
        <PublishQr url={addresses.srtPublishUrl} protocol="SRT" />
      </div>
      <PlayLinks />
      <WordPressCodes />
    </div>
  );
}
