// Accordion item 6: OBS 30 and later over WHIP.
import { Trans, useTranslation } from 'react-i18next';
import { useEnvironment } from '../../../shared/environment.ts';
import { rtcFirewallPort } from '../../../shared/publish-guide/firewall-ports.ts';
import guide from '../../../shared/publish-guide/guide.module.css';
import { useGuide } from '../../../shared/publish-guide/guide-context.ts';
import { PlayLinks, WordPressCodes } from '../../../shared/publish-guide/play-links.tsx';
import { FirewallReminder, Steps } from '../../../shared/publish-guide/steps.tsx';
import { useWebrtcAvailability } from '../../../shared/publish-guide/use-webrtc-availability.ts';
import { WebrtcAdvice } from './webrtc-advice.tsx';
import { WholeAddress } from './whole-address.tsx';

const stepKeys = ['service', 'paste', 'output', 'start'] as const;

export function ObsWhip() {
  const { t } = useTranslation('live');
  const { addresses } = useGuide();
  const { program, allowLocalhost } = useWebrtcAvailability();
  return (
    <div className={guide.item}>
      <FirewallReminder protocol="webrtc" port={rtcFirewallPort(useEnvironment())} />
      <WebrtcAdvice publish={program} onAllowLocalhost={allowLocalhost} />
      <Steps>
        {stepKeys.map((key) => (
          <li key={key}>
            <Trans t={t} i18nKey={`obsWhip.${key}`} components={{ b: <b /> }} />
          </li>
        ))}
      </Steps>
      <WholeAddress url={addresses.whipUrl} emptyField={t('obsWhip.bearerToken')} />
      {location.protocol === 'https:' && <p className={guide.note}>{t('obsWhip.selfSigned')}</p>}
      <PlayLinks />
      <WordPressCodes />
    </div>
  );
}
