// Note above the addresses of a protected stream, with a form that creates a playback link. The addresses then contain its query.
import { Alert, Anchor, Button, Group, Select, Text } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { IconLock, IconSignature } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { apiMutation } from '../../api/api-query.ts';
import { useScreenPath } from '../../navigation/current-locale.ts';
import { formatTimestamp } from '../format-time.ts';
import { InlineFailure } from '../inline-failure.tsx';
import { useGuide } from './guide-context.ts';
import { type LinkLife, linkLives, secondsOfLife } from './link-lives.ts';

export function ProtectedNote() {
  const { t } = useTranslation('live');
  const { mode, made, hasKey } = useGuide().watchLink;
  if (mode === 'open') return null;
  return (
    <Alert
      variant="light"
      color="amber"
      p="sm"
      icon={<IconLock aria-hidden />}
      title={t(`guide.protected.${mode}.title`)}
    >
      <Text size="sm" role="status">
        {made
          ? t('guide.protected.made', { time: formatTimestamp(new Date(made.expiresAt * 1000).toISOString()) })
          : t(`guide.protected.${mode}.text`)}
      </Text>
      {hasKey === false ? <NoKey /> : <LinkMaker />}
    </Alert>
  );
}

function LinkMaker() {
  const { t } = useTranslation('live');
  const toScreen = useScreenPath();
  const { pattern, made, keep } = useGuide().watchLink;
  const [life, setLife] = useState<LinkLife>('day');
  const make = useMutation({ ...apiMutation(calls.createWatchLink), onSuccess: keep });
  return (
    <>
      <Group mt="xs" gap="sm" align="flex-end">
        <Select
          size="sm"
          w="9rem"
          label={t('guide.protected.life')}
          data={linkLives.map((value) => ({ value, label: t(`guide.protected.lives.${value}`) }))}
          value={life}
          allowDeselect={false}
          onChange={(value) => setLife((value as LinkLife | null) ?? life)}
        />
        <Button
          size="sm"
          variant={made ? 'default' : 'filled'}
          leftSection={<IconSignature size={18} aria-hidden />}
          loading={make.isPending}
          onClick={() => make.mutate({ pattern, seconds: secondsOfLife[life] })}
        >
          {t(made ? 'guide.protected.makeAnother' : 'guide.protected.make')}
        </Button>
        <Anchor component={Link} to={toScreen('settings', '?tab=watch')} size="sm" py={8}>
          {t('guide.protected.rules')}
        </Anchor>
      </Group>
      {make.error && <InlineFailure error={make.error} />}
    </>
  );
}

/** Shown without a signing key, which links require. */
function NoKey() {
  const { t } = useTranslation('live');
  const toScreen = useScreenPath();
  return (
    <Text size="sm" mt={4}>
      {t('guide.protected.noKey')}{' '}
      <Anchor component={Link} to={toScreen('settings', '?tab=watch')} inherit fw={600}>
        {t('guide.protected.createKey')}
      </Anchor>
    </Text>
  );
}
