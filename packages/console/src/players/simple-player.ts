// `/tools/player.html?url=`: the simple player.
import './player.css';
import { createPlayerPage } from './player-page.ts';
import { simpleEngine } from './stage-player.ts';

const page = createPlayerPage(simpleEngine);
document.title = page.t.simpleTitle;
document.body.append(page.stage.root);
page.open(page.query.get('url') ?? '');
