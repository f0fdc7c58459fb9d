/** The part of punycode that is used. Its main file has the name of a module of Node. */
declare module 'punycode/punycode.es6.js' {
  export function toUnicode(domainOrEmail: string): string
}
