// Accordion item 5: the browser as an encoder, over WebRTC.
import { Button } from '@mantine/core';
import { IconExternalLink, IconVideo } from '@tabler/icons-react';
import { Trans, useTranslation } from 'react-i18next';
import { useEnvironment } from '../../../shared/environment.ts';
import { rtcFirewallPort } from '../../../shared/publish-guide/firewall-ports.ts';
import guide from '../../../shared/publish-guide/guide.module.css';
import { useGuide } from '../../../shared/publish-guide/guide-context.ts';
import { browserLatency, webrtcViewersPerCore } from '../../../shared/publish-guide/measured-values.ts';
import { NewNameButton } from '../../../shared/publish-guide/new-name-button.tsx';
import { PlayLinks, WordPressCodes } from '../../../shared/publish-guide/play-links.tsx';
import { FirewallReminder, Steps } from '../../../shared/publish-guide/steps.tsx';
import { useWebrtcAvailability } from '../../../shared/publish-guide/use-webrtc-availability.ts';
import { CopyField } from '../../../ui/copy-field.tsx';
import { WebrtcAdvice } from './webrtc-advice.tsx';

const stepKeys = ['open', 'allow', 'choose', 'start'] as const;

export function BrowserWhip() {
  const { t } = useTranslation('live');
  const { publish, allowLocalhost } = useWebrtcAvailability();
  return (
    <div className={guide.item}>
      <FirewallReminder protocol="webrtc" port={rtcFirewallPort(useEnvironment())} />
      <WebrtcAdvice publish={publish} onAllowLocalhost={allowLocalhost} />
      <Steps>
        {stepKeys.map((key) => (
          <li key={key}>
            <Trans t={t} i18nKey={`browserWhip.${key}`} components={{ b: <b /> }} />
          </li>
        ))}
      </Steps>
      {publish.kind === 'ready' ? <PublisherPage /> : <BlockedPublisherPage />}
      <p className={guide.note}>{t('browserWhip.measured', { ...browserLatency, viewers: webrtcViewersPerCore })}</p>
      <PlayLinks />
      <WordPressCodes />
    </div>
  );
}

/** The disabled button for the publisher page. It stays visible, because the steps mention it. */
function BlockedPublisherPage() {
  const { t } = useTranslation('live');
  return (
    <div className={guide.stack}>
      <div>
        <Button disabled leftSection={<IconVideo size={18} aria-hidden />}>
          {t('browserWhip.openPage')}
        </Button>
      </div>
      <NewNameButton />
    </div>
  );
}

function PublisherPage() {
  const { t } = useTranslation('live');
  const { addresses, secret } = useGuide();
  const link = new URL(addresses.rtcPublisher, location.origin).href;
  return (
    <div className={guide.stack}>
      <div>
        <Button
          component="a"
          href={addresses.rtcPublisher}
          target="_blank"
          rel="noopener"
          leftSection={<IconVideo size={18} aria-hidden />}
          rightSection={<IconExternalLink size={16} aria-hidden />}
        >
          {t('browserWhip.openPage')}
        </Button>
      </div>
      <CopyField
        key={link}
        label={t('browserWhip.link')}
        value={link}
        secret={secret !== ''}
        hint={t(secret === '' ? 'guide.keyHintOpen' : 'browserWhip.linkHint')}
      />
      <NewNameButton />
    </div>
  );
}
