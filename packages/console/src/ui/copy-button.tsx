import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useCopy } from './use-copy.ts';

export interface CopyButtonProps {
  value: string;
  /** Name of the value for screen readers and the toast, e.g. "Stream key". */
  name: string;
  /** `icon` stands beside an address; `text` stands alone. */
  look?: 'icon' | 'text';
}

export function CopyButton({ value, name, look = 'icon' }: CopyButtonProps) {
  const { t } = useTranslation();
  const { copied, copy } = useCopy(name);
  const label = t('copy.label', { name });
  const icon = copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />;
  if (look === 'text') {
    return (
      <Button variant="default" leftSection={icon} onClick={() => void copy(value)}>
        {label}
      </Button>
    );
  }
  return (
    <Tooltip label={label}>
      <ActionIcon size="lg" color={copied ? 'signal' : 'gray'} aria-label={label} onClick={() => void copy(value)}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
