/** The part of saxen that is used. */
declare module 'saxen' {
  type Decode = (text: string) => string

  export class Parser {
    on(event: 'openTag', handle: (name: string, getAttributes: () => Record<string, string>) => void): this
    on(event: 'text', handle: (text: string, decode: Decode) => void): this
    on(event: 'closeTag' | 'cdata', handle: (text: string) => unknown): this
    on(event: 'error' | 'warn', handle: (error: Error) => void): this
    stop(): void
    parse(xml: string): Error | undefined
  }
}
