// Calm news while the server is away; it leaves by itself. Overlays the page, so nothing moves.
import { IconRefresh } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { controlPlane } from '../../api/control-plane.ts';
import classes from './control-plane-banner.module.css';

export function ControlPlaneBanner() {
  const { t } = useTranslation();
  const state = useSyncExternalStore(controlPlane.subscribe, controlPlane.state);
  return (
    <div className={classes.region} role="status">
      {state === 'away' && (
        <div className={classes.banner}>
          <IconRefresh size={18} aria-hidden className={classes.sign} />
          {t('controlPlane.away')}
        </div>
      )}
    </div>
  );
}
