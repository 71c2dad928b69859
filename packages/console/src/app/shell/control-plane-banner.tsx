// Reports that the server is down, slow or unreachable, until the problem has ended. The banner overlays the page, so nothing moves.
import { IconHourglass, IconRefresh, IconWifiOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useConnectionState } from './connection-state.ts';
import classes from './control-plane-banner.module.css';

const signs = { away: IconRefresh, offline: IconWifiOff, slow: IconHourglass } as const;

export function ControlPlaneBanner() {
  const { t } = useTranslation();
  const state = useConnectionState();
  const Sign = state === 'good' ? undefined : signs[state];
  return (
    <div className={classes.region} role="status">
      {Sign && state !== 'good' && (
        <div className={classes.banner}>
          <Sign size={18} aria-hidden className={state === 'away' ? classes.turning : classes.sign} />
          {t(`controlPlane.${state}`)}
        </div>
      )}
    </div>
  );
}
