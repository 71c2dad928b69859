// Cameras: the list, and the form for a camera.
import { data, type GalleryPage, refused } from '../gallery-page.ts';
import * as samples from '../samples/cameras.ts';
import { asking, fill, press, type Step, steps } from '../steps.ts';

const filled = {
  cameraSecret: data(samples.cameras),
  cameraStreams: data(samples.cameraRows),
  queryLive: samples.cameraStreams,
};

/** Finds the address field by its placeholder: its label is also the beginning of the label of the ONVIF field. */
const fillAddress =
  (value: string): Step =>
  (page) =>
    page.getByPlaceholder('rtsp://').first().fill(value);

export const cameraPages: readonly GalleryPage[] = [
  {
    id: 'cameras',
    path: 'routers-scenario?tab=camera',
    needs: ['cameraSecret'],
    answers: { cameraStreams: data([]) },
    states: [
      { name: 'empty', answers: { cameraSecret: data({}), cameraStreams: data([]) }, shows: 'cameras:none.title' },
      { name: 'filled', answers: filled, shows: 'cameras:reason.not-authorized.what' },
      { name: 'add', answers: filled, act: press('cameras:add'), shows: 'cameras:form.streamHint' },
      {
        name: 'add SRT',
        answers: filled,
        act: steps(press('cameras:add'), fillAddress('srt://192.0.2.7:9000?streamid=gate')),
        shows: 'cameras:srt.streamId',
      },
      {
        name: 'add UDP',
        answers: filled,
        act: steps(press('cameras:add'), fillAddress('udp://@239.1.1.1:5000')),
        shows: 'cameras:udp.senderHint',
      },
      { name: 'edit', answers: filled, act: press('cameras:edit'), shows: 'cameras:form.change' },
      {
        name: 'onvif',
        answers: { ...filled, discoverCameras: data(samples.discovered), readOnvifCamera: data(samples.onvifDevice) },
        act: steps(
          press('cameras:add'),
          press('cameras:onvif.search'),
          fill('cameras:onvif.address', 'http://192.168.1.64/onvif/device_service'),
          press('cameras:onvif.read'),
        ),
        shows: 'cameras:onvif.use',
      },
      {
        name: 'incomplete',
        answers: filled,
        act: steps(press('cameras:add'), press('cameras:form.save')),
        shows: 'cameras:form.missing',
      },
      {
        name: 'refused address',
        answers: { ...filled, testCamera: refused('addressRefused') },
        act: steps(press('cameras:add'), fillAddress('rtsp://169.254.169.254/'), press('cameras:test.button')),
        shows: 'errors:explained.addressRefused.what',
      },
      { ...asking('remove', 'cameras:remove.confirm', press('cameras:remove.button')), answers: filled },
    ],
  },
];
