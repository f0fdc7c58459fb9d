/** A source that can't be read. The message is shown to the user. */
export class SourceError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SourceError'
  }
}
