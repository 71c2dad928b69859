// An address or key with its name and a copy button. Secrets are masked until revealed.
import { ActionIcon, Tooltip } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from './copy-button.tsx';
import classes from './copy-field.module.css';
import { RevealIcon } from './reveal-icon.tsx';

export interface CopyFieldProps {
  label: string;
  value: string;
  /** Name in the toast; by default, the label. */
  name?: string;
  /** Masks the value until revealed. The copy button copies the unmasked value. */
  secret?: boolean;
  hint?: ReactNode;
  /** Additional buttons before the copy button. */
  actions?: ReactNode;
}

export function CopyField({ label, value, name = label, secret = false, hint, actions }: CopyFieldProps) {
  const labelId = useId();
  const [revealed, setRevealed] = useState(!secret);
  return (
    <div className={classes.field}>
      <div className={classes.label} id={labelId}>
        {label}
      </div>
      <div className={classes.box}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long address scrolls sideways, also by keyboard */}
        <output className={classes.value} aria-labelledby={labelId} tabIndex={0}>
          {revealed ? value : '•'.repeat(Math.min(value.length, 24))}
        </output>
        {secret && <RevealButton name={name} revealed={revealed} onToggle={() => setRevealed(!revealed)} />}
        {actions}
        <CopyButton value={value} name={name} />
      </div>
      {hint && <div className={classes.hint}>{hint}</div>}
    </div>
  );
}

function RevealButton({ name, revealed, onToggle }: { name: string; revealed: boolean; onToggle: () => void }) {
  const { t } = useTranslation();
  const label = t(revealed ? 'secret.hide' : 'secret.show', { name });
  return (
    <Tooltip label={label}>
      <ActionIcon size="lg" aria-label={label} onClick={onToggle}>
        <RevealIcon reveal={revealed} />
      </ActionIcon>
    </Tooltip>
  );
}
