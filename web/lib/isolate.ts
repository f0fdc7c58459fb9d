/** Unicode's marks of a text whose direction is its own. */
const [start, end] = ['\u2068', '\u2069']

/** Marks a value within a message, such as a name or an email. `Text` renders it as an element that no translator is given. */
export const isolate = (value: string): string => start + removeMarks(value) + end

/** Marks a part of a message that is rendered otherwise, such as a link: the text between tags of the message. */
export const isolateText = (parts: readonly string[]): string => isolate(parts.join(''))

/**
 * Returns a message as it stands in an attribute, or a value without what would turn it or the text behind it round: isolates,
 * embeddings and overrides (U+202E). Single marks of direction stay, which Arabic and Hebrew need.
 */
export const removeMarks = (message: string): string =>
  message.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')

/** Splits a message at its values: those have odd indices. */
export const splitAtValues = (message: string): string[] => message.split(/\u2068([^\u2069]*)\u2069/)
