/** What ends a line of a text from any system; Python on Windows doubles the CR. */
export const lineEnd = /\r{0,2}\n|\r/

export const splitLines = (text: string): string[] => text.split(lineEnd)
