import { Stack } from '@mantine/core';
import { IconBroadcast, IconDeviceTvOld, IconRouter, IconSatellite } from '@tabler/icons-react';
import { Trans, useTranslation } from 'react-i18next';
import { ofLocale } from '../../i18n/of-locale.ts';
import { useLocale } from '../../navigation/current-locale.ts';
import { srtFirewallPort } from '../../shared/publish-guide/firewall-ports.ts';
import guide from '../../shared/publish-guide/guide.module.css';
import { useGuide } from '../../shared/publish-guide/guide-context.ts';
import { PublishGuideFrame } from '../../shared/publish-guide/publish-guide-frame.tsx';
import { FirewallReminder, Steps } from '../../shared/publish-guide/steps.tsx';
import { usePublishGuide } from '../../shared/publish-guide/use-publish-guide.ts';
import { Panel } from '../../ui/panel.tsx';
import { Section, Sections } from '../../ui/sections.tsx';
import { Requirements } from './requirements.tsx';
import { SrtFields } from './srt-fields.tsx';
import { SrtPlay } from './srt-play.tsx';
import { SrtServer } from './srt-server.tsx';
import { stepsOf, type Walkthrough, walkthroughsOf } from './walkthroughs.ts';

const icons = { vmix: IconDeviceTvOld, obs: IconBroadcast, encoder: IconRouter } as const;

export default function SrtGuidePage() {
  const { t } = useTranslation('srt-guide');
  const shown = ofLocale(walkthroughsOf, useLocale());
  return (
    <PublishGuideFrame publishGuide={usePublishGuide()}>
      <Stack gap="lg">
        <Panel
          title={t('introduction.title')}
          description={t('introduction.text')}
          icon={<IconSatellite aria-hidden />}
        >
          <Requirements />
        </Panel>
        <Sections defaultOpen="vmix">
          {shown.map((walkthrough) => {
            const Icon = icons[walkthrough];
            return (
              <Section
                key={walkthrough}
                value={walkthrough}
                title={t(`${walkthrough}.title`)}
                summary={t(`${walkthrough}.summary`)}
                icon={<Icon aria-hidden />}
              >
                <WalkthroughItem walkthrough={walkthrough} />
              </Section>
            );
          })}
        </Sections>
      </Stack>
    </PublishGuideFrame>
  );
}

function WalkthroughItem({ walkthrough }: { walkthrough: Walkthrough }) {
  const { t } = useTranslation('srt-guide');
  const { addresses } = useGuide();
  const keys = stepsOf[walkthrough].map((step) => `${walkthrough}.steps.${step}`) as StepKey[];
  return (
    <div className={guide.item}>
      <FirewallReminder protocol="srt" port={srtFirewallPort(addresses)} />
      <Steps>
        {keys.map((key) => (
          <li key={key}>
            <Trans t={t} i18nKey={key} components={{ b: <b /> }} />
          </li>
        ))}
      </Steps>
      {walkthrough === 'obs' ? <SrtServer /> : <SrtFields />}
      <SrtPlay />
    </div>
  );
}

type StepKey = {
  [Name in Walkthrough]: `${Name}.steps.${(typeof stepsOf)[Name][number]}`;
}[Walkthrough];
