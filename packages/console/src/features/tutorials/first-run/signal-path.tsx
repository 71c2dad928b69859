// Decorative illustration: encoder, this server, viewers. Not animated if the viewer prefers reduced motion.
import { IconDevices, IconVideo } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { BrandMark } from '../../../ui/brand-mark.tsx';
import classes from './signal-path.module.css';

export function SignalPath({ isFlowing = false }: { isFlowing?: boolean }) {
  const { t } = useTranslation('tutorials');
  return (
    <div className={classes.path} data-flowing={isFlowing || undefined}>
      <Stop name={t('path.encoder')} detail={t('path.encoderDetail')} isMissing={!isFlowing}>
        <IconVideo size={30} stroke={1.4} aria-hidden />
      </Stop>
      <Line isMissing={!isFlowing} />
      <Stop name={t('path.server')} detail={t('path.serverDetail')}>
        <BrandMark size={40} isBusy={isFlowing} />
      </Stop>
      <Line />
      <Stop name={t('path.viewers')} detail={t('path.viewersDetail')}>
        <IconDevices size={30} stroke={1.4} aria-hidden />
      </Stop>
    </div>
  );
}

interface StopProps {
  name: string;
  detail: string;
  isMissing?: boolean;
  children: React.ReactNode;
}

function Stop({ name, detail, isMissing = false, children }: StopProps) {
  return (
    <div className={classes.stop} data-missing={isMissing || undefined}>
      <span className={classes.sign}>{children}</span>
      <span className={classes.name}>{name}</span>
      <span className={classes.detail}>{detail}</span>
    </div>
  );
}

function Line({ isMissing = false }: { isMissing?: boolean }) {
  return (
    <svg className={classes.line} data-missing={isMissing || undefined} viewBox="0 0 100 8" aria-hidden="true">
      <path d="M2 4H98" />
    </svg>
  );
}
