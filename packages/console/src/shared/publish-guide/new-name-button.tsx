// Button that replaces the stream name in all addresses by a random name.
import { Button } from '@mantine/core';
import { IconDice5 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useGuide } from './guide-context.ts';

export function NewNameButton() {
  const { t } = useTranslation('live');
  const { streamName } = useGuide();
  return (
    <div>
      <Button size="sm" variant="default" leftSection={<IconDice5 size={18} aria-hidden />} onClick={streamName.renew}>
        {t('name.renew')}
      </Button>
    </div>
  );
}
