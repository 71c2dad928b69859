// Accordion item 0: explains recording with an illustration and three sentences.
import { IconDeviceFloppy, IconFileTypography, IconMovie, IconServer2, IconVideo } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { FlowDiagram } from '../../shared/push-target/flow-diagram.tsx';

export function RecordIntroduction() {
  const { t } = useTranslation('records');
  return (
    <FlowDiagram
      steps={[
        { sign: <IconVideo aria-hidden />, name: t('introduction.encoder') },
        { sign: <IconServer2 aria-hidden />, name: t('introduction.server') },
        { sign: <IconDeviceFloppy aria-hidden />, name: t('introduction.disk') },
      ]}
      ends={[
        { sign: <IconFileTypography size={18} aria-hidden />, name: t('introduction.hls') },
        { sign: <IconMovie size={18} aria-hidden />, name: t('introduction.mp4') },
      ]}
    >
      <li>{t('introduction.safe')}</li>
      <li>{t('introduction.complete')}</li>
      <li>{t('introduction.room')}</li>
    </FlowDiagram>
  );
}
