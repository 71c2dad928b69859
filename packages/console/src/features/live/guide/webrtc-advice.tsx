// Explains why WebRTC is not available on this page, and the remedy.
import { Alert, Anchor, Button, Text } from '@mantine/core';
import { IconLock, IconRouteOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useScreenPath } from '../../../navigation/current-locale.ts';
import type { WebrtcPublish } from '../../../shared/publish-guide/webrtc-availability.ts';

export interface WebrtcAdviceProps {
  publish: WebrtcPublish;
  onAllowLocalhost: () => void;
}

export function WebrtcAdvice({ publish, onAllowLocalhost }: WebrtcAdviceProps) {
  const { t } = useTranslation('live');
  const toScreen = useScreenPath();
  switch (publish.kind) {
    case 'ready':
      return null;
    case 'https-required':
      return (
        <Alert variant="light" color="amber" icon={<IconLock aria-hidden />} title={t('webrtc.https.title')}>
          <Text size="sm">{t('webrtc.https.why')}</Text>
          {publish.httpsUrl ? (
            <Text size="sm" mt={8}>
              {t('webrtc.https.open')} <Anchor href={publish.httpsUrl}>{new URL(publish.httpsUrl).origin}</Anchor>
              <br />
              {t('webrtc.https.selfSigned')}
            </Text>
          ) : (
            <>
              <Text size="sm" mt={8}>
                {t('webrtc.https.none')}
              </Text>
              <Button size="xs" variant="default" mt="sm" component={Link} to={toScreen('settings', '?tab=https')}>
                {t('webrtc.https.setup')}
              </Button>
            </>
          )}
        </Alert>
      );
    case 'no-localhost':
      return (
        <Alert variant="light" color="amber" icon={<IconRouteOff aria-hidden />} title={t('webrtc.localhost.title')}>
          <Text size="sm">{t('webrtc.localhost.why')}</Text>
          <Text size="sm" mt={8}>
            {t('webrtc.localhost.remedy')}
          </Text>
          <Button size="xs" variant="default" mt="sm" onClick={onAllowLocalhost}>
            {t('webrtc.localhost.allow')}
          </Button>
        </Alert>
      );
  }
}
