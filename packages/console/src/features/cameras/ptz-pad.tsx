// Buttons that pan, tilt and zoom a camera while the operator holds them, and the stored positions of the camera.
import { ActionIcon, NativeSelect } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowLeft,
  IconArrowRight,
  IconArrowUp,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react';
import { type KeyboardEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './cameras.module.css';
import { useCameraPresets, useMoveCamera } from './queries.ts';

/** Speed as a share of the maximum. At full speed, a camera passes its target before the operator releases the button. */
const speed = 0.5;
const still = { pan: 0, tilt: 0, zoom: 0 };
const moves = [
  { name: 'left', Icon: IconArrowLeft, velocity: { ...still, pan: -speed } },
  { name: 'up', Icon: IconArrowUp, velocity: { ...still, tilt: speed } },
  { name: 'down', Icon: IconArrowDown, velocity: { ...still, tilt: -speed } },
  { name: 'right', Icon: IconArrowRight, velocity: { ...still, pan: speed } },
  { name: 'zoomIn', Icon: IconZoomIn, velocity: { ...still, zoom: speed } },
  { name: 'zoomOut', Icon: IconZoomOut, velocity: { ...still, zoom: -speed } },
] as const;

export function PtzPad({ platform, title }: { platform: string; title: string }) {
  const { t } = useTranslation('cameras');
  const move = useMoveCamera();
  const isMoving = useRef(false);
  const begin = (velocity: typeof still) => {
    if (isMoving.current) return;
    isMoving.current = true;
    move.mutate({ platform, ...velocity });
  };
  // Sends the stop without waiting for the response of the move. The server sends commands in order, so a stop never overtakes its move.
  const end = () => {
    if (!isMoving.current) return;
    isMoving.current = false;
    move.mutate({ platform, ...still });
  };
  const isKey = ({ key }: KeyboardEvent) => key === 'Enter' || key === ' ';
  return (
    <fieldset className={classes.ptz} aria-label={t('ptz.title', { title })}>
      {moves.map(({ name, Icon, velocity }) => (
        <ActionIcon
          key={name}
          size="lg"
          variant="default"
          aria-label={t(`ptz.${name}`)}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            begin(velocity);
          }}
          onLostPointerCapture={end}
          onKeyDown={(event) => isKey(event) && begin(velocity)}
          onKeyUp={(event) => isKey(event) && end()}
          onBlur={end}
        >
          <Icon size={18} aria-hidden />
        </ActionIcon>
      ))}
      <Presets platform={platform} onChoose={(preset) => move.mutate({ platform, preset })} />
    </fieldset>
  );
}

/** The stored positions of the camera, requested when the operator opens the list. */
function Presets({ platform, onChoose }: { platform: string; onChoose: (preset: string) => void }) {
  const { t } = useTranslation('cameras');
  const presets = useCameraPresets();
  const all = presets.data ?? [];
  return (
    <NativeSelect
      size="xs"
      aria-label={t('ptz.presets')}
      value=""
      onFocus={() => !presets.data && !presets.isPending && presets.mutate({ platform })}
      onChange={(event) => event.currentTarget.value !== '' && onChoose(event.currentTarget.value)}
      data={[{ value: '', label: t('ptz.presets') }, ...all.map(({ token, name }) => ({ value: token, label: name }))]}
    />
  );
}
