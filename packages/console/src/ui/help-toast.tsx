// Help button that opens an explanation. The explanation closes automatically, but not while focused or under the pointer.
import { ActionIcon, Collapse, Tooltip } from '@mantine/core';
import { toastMs } from '@srs-stack/contract/constants.ts';
import { IconHelpCircle, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './help-toast.module.css';

export interface HelpToastProps {
  /** Subject of the help; also the name of the button. */
  title: string;
  children: ReactNode;
  /** Time until the explanation closes, milliseconds. */
  lastsMs?: number;
}

export function HelpToast({ title, children, lastsMs = toastMs }: HelpToastProps) {
  const { t } = useTranslation();
  const panelId = useId();
  const [opened, setOpened] = useState(false);
  const [isRead, setIsRead] = useState(false);
  useEffect(() => {
    if (!opened || isRead) return;
    const timer = setTimeout(() => setOpened(false), lastsMs);
    return () => clearTimeout(timer);
  }, [opened, isRead, lastsMs]);
  return (
    <div className={classes.help}>
      <Tooltip label={title}>
        <ActionIcon
          size="lg"
          aria-label={title}
          aria-expanded={opened}
          aria-controls={panelId}
          onClick={() => setOpened(!opened)}
        >
          <IconHelpCircle size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Collapse expanded={opened} id={panelId} className={classes.place}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: hovering only keeps the text open */}
        <div
          className={classes.panel}
          onMouseEnter={() => setIsRead(true)}
          onMouseLeave={() => setIsRead(false)}
          onFocus={() => setIsRead(true)}
          onBlur={() => setIsRead(false)}
        >
          <div>
            <strong>{title}</strong>
            <div>{children}</div>
          </div>
          <ActionIcon aria-label={t('close')} onClick={() => setOpened(false)}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </div>
      </Collapse>
    </div>
  );
}
