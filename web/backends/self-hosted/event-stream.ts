/** One event of a `text/event-stream`. */
export interface StreamEvent {
  event: string
  data: string
  /** Undefined if the event has none of its own. */
  id: string | undefined
}

/**
 * Parses an event stream. Returns a function that takes the text in chunks of any size. Comments and unused fields are
 * ignored.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export function createEventParser(onEvent: (event: StreamEvent) => void): (text: string) => void {
  let buffer = ''
  let fields: { event?: string; id?: string; data?: string } = {}

  function parseLine(line: string) {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === 'data') fields.data = fields.data === undefined ? value : `${fields.data}\n${value}`
    if (name === 'event' || name === 'id') fields[name] = value
  }

  function dispatchEvent() {
    const { event = 'message', data, id } = fields
    fields = {}
    if (data !== undefined) onEvent({ event, data, id })
  }

  return (text) => {
    // A carriage return at the end of a chunk may be the first half of a CRLF.
    const lines = (buffer + text).split(/\r\n|\n|\r(?!$)/)
    buffer = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') dispatchEvent()
      else parseLine(line)
    }
  }
}
