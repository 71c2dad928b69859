// A command with the publish secret. The secret is masked in the display, but copied.
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../ui/copy-button.tsx';
import classes from './guide.module.css';
import { useGuide } from './guide-context.ts';
import { maskSecret } from './mask-secret.ts';

export interface MaskedCodeProps {
  code: string;
  /** Name of the command in the toast and for screen readers. */
  name: string;
}

export function MaskedCode({ code, name }: MaskedCodeProps) {
  const { t } = useTranslation();
  const { secret } = useGuide();
  const [revealed, setRevealed] = useState(false);
  const masked = maskSecret(code, secret);
  const label = t(revealed ? 'secret.hide' : 'secret.show', { name });
  return (
    <figure className={classes.code} aria-label={name}>
      <figcaption className={classes.codeName}>{name}</figcaption>
      <div className={classes.codeTools}>
        {masked !== code && (
          <Tooltip label={label}>
            <ActionIcon size="lg" aria-label={label} onClick={() => setRevealed(!revealed)}>
              {revealed ? <IconEyeOff size={18} aria-hidden /> : <IconEye size={18} aria-hidden />}
            </ActionIcon>
          </Tooltip>
        )}
        <CopyButton value={code} name={name} />
      </div>
      <pre>
        <code>{revealed ? code : masked}</code>
      </pre>
    </figure>
  );
}
