import { useTranslation } from 'react-i18next';
import { passwordStrength, strengths } from './password-strength.ts';
import classes from './strength-meter.module.css';

export function StrengthMeter({ password }: { password: string }) {
  const { t } = useTranslation('setup');
  const strength = passwordStrength(password);
  const level = password === '' ? -1 : strengths.indexOf(strength);
  return (
    <div className={classes.meter} data-strength={strength}>
      <div className={classes.segments} aria-hidden="true">
        {strengths.map((each, index) => (
          <i key={each} data-filled={index <= level || undefined} />
        ))}
      </div>
      <span aria-live="polite" className={classes.word}>
        {password === '' ? t('strength.empty') : t(`strength.${strength}`)}
      </span>
    </div>
  );
}
