/** The part of punycode that is used. Its main file has the name of a module of Node. */
declare module 'punycode/punycode.es6.js' {
  /** Throws a `RangeError` for what is not Punycode. */
  export function decode(text: string): string
}
