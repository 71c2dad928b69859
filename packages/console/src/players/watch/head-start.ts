// Inlined in the page and run first. Starts the WebRTC connection immediately if the page's data reports a live stream with WebRTC.
import { serverRoot } from '../server-root.ts';
import { EarlyWhep } from '../webrtc/early-whep.ts';
import { writtenInfo } from './page-info.ts';
import { carriedQuery, isWay, sourceOf, watchedStream } from './watched-stream.ts';

const page = new URL(location.href);
const root = serverRoot();
const watched = watchedStream(page.pathname, root);
const { allowed, live, ways } = writtenInfo(watched, document);
const chosen = page.searchParams.get('way');
const way = isWay(chosen) ? chosen : ways[0];
const isPreview = page.searchParams.get('preview') === '1';
if (allowed && live && way === 'webrtc' && ways.includes(way) && !isPreview) {
  const early = new EarlyWhep();
  window.earlyWhep = early;
  early.begin(sourceOf(way, watched, carriedQuery(page), root).url);
}
