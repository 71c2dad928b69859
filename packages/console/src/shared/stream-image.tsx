// Plays a stream inside a console page. The code is loaded on first use.
import { useEffect, useRef } from 'react';
import { useLocale } from '../navigation/current-locale.ts';
import { createStagePlayer, simpleEngine } from '../players/stage-player.ts';
import classes from './stream-image.module.css';

/** @param address FLV, HLS or WHEP. */
export default function StreamImage({ address }: { address: string }) {
  const locale = useLocale();
  const mount = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const player = createStagePlayer({ engine: simpleEngine, locale });
    mount.current?.append(player.stage.root);
    player.open(address);
    return () => {
      player.close();
      player.stage.root.remove();
    };
  }, [address, locale]);
  return <div ref={mount} className={classes.picture} />;
}
