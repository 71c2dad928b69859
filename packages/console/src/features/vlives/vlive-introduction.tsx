import { IconMovie, IconServer2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../navigation/current-locale.ts';
import { FlowDiagram } from '../../shared/push-target/flow-diagram.tsx';
import { PlatformLogo } from '../../shared/push-target/platform-logo.tsx';
import { platformPresets } from '../../shared/push-target/platform-presets.ts';

export function VliveIntroduction() {
  const { t } = useTranslation('vlives');
  const presets = Object.values(platformPresets(useLocale()));
  return (
    <FlowDiagram
      steps={[
        { sign: <IconMovie aria-hidden />, name: t('introduction.source') },
        { sign: <IconServer2 aria-hidden />, name: t('introduction.server') },
      ]}
      ends={presets.map(({ logo, name }) => ({ sign: <PlatformLogo logo={logo} size="sm" />, name }))}
    >
      <li>{t('introduction.what')}</li>
      <li>{t('introduction.loop')}</li>
      <li>{t('introduction.live')}</li>
    </FlowDiagram>
  );
}
