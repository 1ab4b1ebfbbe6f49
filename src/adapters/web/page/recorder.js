/** A button that records a voice message: pressed once it listens, pressed again it is done. */

/** The first of these that the browser can make. */
const types = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4'];

const typeOf = () => types.find((type) => MediaRecorder.isTypeSupported(type)) ?? '';

/** `onRecorded(file)` is called with what was said; `onProblem(text)` where there is no microphone. */
export const createRecorder = (button, { onRecorded, onProblem }) => {
  // Browsers keep the microphone from pages that others could read along.
  if (navigator.mediaDevices?.getUserMedia === undefined || typeof MediaRecorder === 'undefined') return;
  let recorder;
  const show = (isRecording) => {
    button.setAttribute('aria-pressed', String(isRecording));
    button.setAttribute(
      'aria-label',
      isRecording ? 'End the recording and send it' : 'Record a voice message',
    );
  };

  const begin = async () => {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    const chunks = [];
    recorder = new MediaRecorder(stream, { mimeType: typeOf() });
    recorder.addEventListener('dataavailable', ({ data }) => chunks.push(data));
    recorder.addEventListener('stop', () => {
      for (const track of stream.getTracks()) track.stop();
      const [type] = recorder.mimeType.split(';');
      recorder = undefined;
      show(false);
      onRecorded(new File(chunks, `voice-message.${type.split('/')[1]}`, { type }));
    });
    recorder.start();
    show(true);
  };

  button.hidden = false;
  show(false);
  button.addEventListener('click', async () => {
    if (recorder !== undefined) {
      if (recorder.state === 'recording') recorder.stop();
      return;
    }
    button.disabled = true;
    try {
      await begin();
    } catch {
      onProblem('The microphone cannot be used. Allow it for this page in your browser, and try again.');
    }
    button.disabled = false;
  });
};
