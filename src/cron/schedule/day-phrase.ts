/** Phrases such as `every weekday at 9am`, `mon,thu 14:00`, `daily at noon`, as cron expressions. */
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

const groups: Readonly<Record<string, string>> = {
  day: '*',
  days: '*',
  daily: '*',
  '1d': '*',
  weekday: '1-5',
  weekdays: '1-5',
  weekend: '0,6',
  weekends: '0,6',
};

const weekdayOf = (word: string): number | undefined => {
  const index = weekdays.findIndex((name) => {
    const stem = word.endsWith('s') && word.length > 4 ? word.slice(0, -1) : word;
    return stem.length >= 3 && name.startsWith(stem);
  });
  return index === -1 ? undefined : index;
};

const daysOf = (text: string): string | undefined => {
  const group = groups[text];
  if (group !== undefined) return group;
  const words = text.split(/\s*(?:,|\band\b)\s*|\s+/u).filter((word) => word !== '');
  const days = words.map(weekdayOf);
  if (days.length === 0 || days.some((day) => day === undefined)) return undefined;
  return [...new Set(days)].sort().join(',');
};

const timeShape = /^(?:(\d{1,2})(?::(\d{2}))?\s*(am|pm)?|(noon|midnight))$/u;

const timeOf = (text: string): { readonly hour: number; readonly minute: number } | undefined => {
  const [, digits, minutes = '0', half, word] = timeShape.exec(text) ?? [];
  if (word !== undefined) return { hour: word === 'noon' ? 12 : 0, minute: 0 };
  const given = Number(digits);
  const minute = Number(minutes);
  if (digits === undefined || minute > 59) return undefined;
  if (half === undefined) return given > 23 ? undefined : { hour: given, minute };
  if (given < 1 || given > 12) return undefined;
  return { hour: (given % 12) + (half === 'pm' ? 12 : 0), minute };
};

const phrase =
  /^(?:every\s+|each\s+|on\s+)?(.+?)(?:\s+at\s+|\s+|\s*@\s*)(\d{1,2}(?::\d{2})?\s*(?:am|pm)?|noon|midnight)$/u;

/** Undefined if the text is no such phrase. */
export const parseDayPhrase = (text: string): string | undefined => {
  const [, dayText, timeText] = phrase.exec(text.trim().toLowerCase().replace(/\s+/gu, ' ')) ?? [];
  if (dayText === undefined || timeText === undefined) return undefined;
  const days = daysOf(dayText);
  const time = timeOf(timeText.trim());
  return days === undefined || time === undefined ? undefined : `${time.minute} ${time.hour} * * ${days}`;
};
