// Asks for confirmation in a popover that explains the consequence.
import { Button, Group, Popover, Text } from '@mantine/core';
import { useDisclosure, useId } from '@mantine/hooks';
import type { ReactElement, ReactNode } from 'react';
import { cloneElement } from 'react';
import { useTranslation } from 'react-i18next';

export interface ConfirmPopoverProps {
  /** Consequence, including the name of the object. */
  text: ReactNode;
  onConfirm: () => void;
  /** Button that opens the confirmation. Its own `onClick` is replaced. */
  children: ReactElement<{ onClick?: () => void; 'aria-expanded'?: boolean }>;
  /** Shows a red Continue button, for irreversible actions. */
  dangerous?: boolean;
  /** Opens immediately, for buttons that render the popover after a click. */
  defaultOpened?: boolean;
}

export function ConfirmPopover(props: ConfirmPopoverProps) {
  const { text, onConfirm, children, dangerous = false, defaultOpened = false } = props;
  const { t } = useTranslation();
  const titleId = useId();
  const [opened, { close, toggle }] = useDisclosure(defaultOpened);
  const confirm = () => {
    close();
    onConfirm();
  };
  return (
    <Popover
      opened={opened}
      onChange={(open) => !open && close()}
      width={300}
      withArrow
      trapFocus
      returnFocus
      shadow="lg"
    >
      <Popover.Target>{cloneElement(children, { onClick: toggle, 'aria-expanded': opened })}</Popover.Target>
      <Popover.Dropdown aria-labelledby={titleId}>
        <Text fw={650} id={titleId}>
          {t('confirm.title')}
        </Text>
        <Text size="sm" c="dimmed" mt={4} mb="md" component="div">
          {text}
        </Text>
        <Group gap="xs" justify="flex-end">
          <Button size="xs" variant="default" onClick={close} data-autofocus>
            {t('confirm.abort')}
          </Button>
          <Button size="xs" {...(dangerous ? { color: 'amber' } : {})} onClick={confirm}>
            {t('confirm.continue')}
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}
