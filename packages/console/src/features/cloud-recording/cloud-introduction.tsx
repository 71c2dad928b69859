// Accordion item 0: the path of a segment to the cloud, and the cost.
import { IconCloud, IconFileTypography, IconMovie, IconServer2, IconVideo } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { FlowDiagram } from '../../shared/push-target/flow-diagram.tsx';
import type { CloudKind } from './queries.ts';

export function CloudIntroduction({ kind }: { kind: CloudKind }) {
  const { t } = useTranslation('cloud-recording');
  const result = kind === 'dvr' ? 'introduction.bucket' : 'introduction.mp4';
  return (
    <FlowDiagram
      steps={[
        { sign: <IconVideo aria-hidden />, name: t('introduction.encoder') },
        { sign: <IconServer2 aria-hidden />, name: t('introduction.server') },
        { sign: <IconCloud aria-hidden />, name: t(`introduction.${kind}Cloud`) },
      ]}
      ends={[
        { sign: <IconFileTypography size={18} aria-hidden />, name: t('introduction.playlist') },
        { sign: <IconMovie size={18} aria-hidden />, name: t(result) },
      ]}
    >
      <li>{t(`introduction.${kind}What`)}</li>
      <li>{t('introduction.safe')}</li>
      <li>{t('introduction.cost')}</li>
    </FlowDiagram>
  );
}
