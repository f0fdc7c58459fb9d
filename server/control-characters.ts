/** Characters by which a text changes the terminal that shows it, or turns its line round. */
const controls = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** Returns a text with each control character replaced. */
export const replaceControls = (text: string, replace: (control: string) => string): string =>
  text.replaceAll(controls, replace)
