// Accordion item 0: explains forwarding with an illustration and three sentences.
import { IconServer2, IconVideo } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../navigation/current-locale.ts';
import { FlowDiagram } from '../../shared/push-target/flow-diagram.tsx';
import { PlatformLogo } from '../../shared/push-target/platform-logo.tsx';
import { platformPresets } from '../../shared/push-target/platform-presets.ts';

export function ForwardIntroduction() {
  const { t } = useTranslation('forwards');
  const presets = Object.values(platformPresets(useLocale()));
  return (
    <FlowDiagram
      steps={[
        { sign: <IconVideo aria-hidden />, name: t('introduction.encoder') },
        { sign: <IconServer2 aria-hidden />, name: t('introduction.server') },
      ]}
      ends={presets.map(({ logo, name }) => ({ sign: <PlatformLogo logo={logo} size="sm" />, name }))}
    >
      <li>{t('introduction.once')}</li>
      <li>{t('introduction.apart')}</li>
      <li>{t('introduction.again')}</li>
    </FlowDiagram>
  );
}
