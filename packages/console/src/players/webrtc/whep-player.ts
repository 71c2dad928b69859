// `/players/whep.html`: the WebRTC player, which other sites can embed.
import '../player.css';
import { createPlayerPage } from '../player-page.ts';
import { simpleEngine } from '../stage-player.ts';
import { parseRtcQuery } from './rtc-address.ts';

const page = createPlayerPage(simpleEngine);
const parsed = parseRtcQuery(page.query, new URL(location.href), 'whep');
document.title = page.t.webrtcTitle;
document.body.append(page.stage.root);
if (parsed.ok) page.open(parsed.url);
else page.stage.showMessage(...page.t.urlProblem[parsed.problem]);
