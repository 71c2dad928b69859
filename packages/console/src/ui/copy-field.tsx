// One address or key: its name, its value in a monospace font, and a copy button. Secrets are masked at first.
import { ActionIcon, Tooltip } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from './copy-button.tsx';
import classes from './copy-field.module.css';
import { RevealIcon } from './reveal-icon.tsx';

export interface CopyFieldProps {
  label: string;
  value: string;
  /** Name in the toast; the label by default. */
  name?: string;
  /** Masked until revealed; the copy button copies the real value. */
  secret?: boolean;
  hint?: ReactNode;
  /** More buttons before the copy button. */
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
