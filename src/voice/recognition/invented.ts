/**
 * Words that recognisers make up where nobody spoke: their training had subtitles, and silence had credits under it.
 * Pure.
 */

/** Whole transcripts, in lower case and without punctuation. */
const phrases: ReadonlySet<string> = new Set([
  'you',
  'bye',
  'thank you for watching',
  'thanks for watching',
  'thank you so much for watching',
  'thank you very much for watching',
  'please subscribe',
  'please subscribe to my channel',
  'please like and subscribe',
  'like and subscribe',
  'subscribe to the channel',
  'see you in the next video',
  'ill see you in the next video',
  'subtitles by the amaraorg community',
  'subtitles by amaraorg',
  'transcription by castingwords',
  'captioning by castingwords',
  'copyright wdr 2021',
  'untertitel der amaraorgcommunity',
  'untertitel im auftrag des zdf für funk 2017',
  'untertitelung des zdf 2020',
  'vielen dank fürs zuschauen',
  'soustitres réalisés par la communauté damaraorg',
  'merci davoir regardé cette vidéo',
  'subtítulos realizados por la comunidad de amaraorg',
  'gracias por ver el video',
  'sottotitoli creati dalla comunità amaraorg',
  'legendas pela comunidade amaraorg',
  'napisy stworzone przez społeczność amaraorg',
  'продолжение следует',
  'субтитры сделал dimatorzok',
  'редактор субтитров асемкин корректор аегорова',
  'спасибо за просмотр',
  '字幕由amaraorg社区提供',
  '请不吝点赞 订阅 转发 打赏支持明镜与点点栏目',
  '謝謝觀看',
  '谢谢观看',
  'ご視聴ありがとうございました',
  '시청해주셔서 감사합니다',
]);

/** What engines write in place of sounds: `[BLANK_AUDIO]`, `(music)`, `♪`. */
const marks = /\[[^\]\n]{0,40}\]|\([^)\n]{0,40}\)|<\|[^|\n]{0,40}\|>|[♪♫🎵]/gu;
const soundWords =
  /^[[(<|]*\s*(?:blank[_ ]?audio|silence|music|musik|applause|noise|inaudible|laughter|no speech|nospeech|sound|音乐|音楽|掌声|拍手)/iu;

const bare = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\p{P}\p{S}]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();

/** The same few words over and over are a recogniser that went round in circles. */
const REPEATS = 5;
const isLoop = (text: string): boolean => {
  const words = text.split(' ');
  for (let size = 1; size <= 6; size += 1) {
    const times = Math.floor(words.length / size);
    if (times < REPEATS) break;
    const first = words.slice(0, size).join(' ');
    const isSame = Array.from({ length: times }, (_, index) =>
      words.slice(index * size, (index + 1) * size).join(' '),
    ).every((part) => part === first);
    // Somebody may well say "no" five times; a sentence nobody says so often.
    if (isSame && (size > 1 || times >= REPEATS * 2)) return true;
  }
  return false;
};

/** What was really said; empty if nothing was. */
export const withoutInventions = (transcript: string): string => {
  const text = transcript
    .replace(marks, (mark) => (soundWords.test(mark) || /^(?:<\||[♪♫🎵])/u.test(mark) ? ' ' : mark))
    .replace(/[ \t]+/gu, ' ')
    .trim();
  const words = bare(text);
  return words === '' || phrases.has(words) || isLoop(words) ? '' : text;
};
