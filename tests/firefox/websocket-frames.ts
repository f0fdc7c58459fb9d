/**
 * Rewrites the text of a client's WebSocket frames as they pass, in however many pieces they come. The new text must have
 * the length of the old one. A message in several frames passes as it is (RFC 6455, 5.2).
 */
export function rewriteFrames(rewrite: (text: string) => string): (bytes: Buffer) => Buffer {
  let rest: Buffer = Buffer.alloc(0)
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    const whole: Buffer[] = []
    for (let frame = nextFrame(rest); frame; frame = nextFrame(rest)) {
      const { mask, payload, end } = frame
      const text = Buffer.from(rewrite(unmask(payload, mask).toString('latin1')), 'latin1')
      unmask(text, mask).copy(payload)
      whole.push(rest.subarray(0, end))
      rest = rest.subarray(end)
    }
    return Buffer.concat(whole)
  }
}

function nextFrame(bytes: Buffer) {
  if (bytes.length < 2) return null
  const short = (bytes[1] ?? 0) & 0x7f
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0
  const start = 2 + lengthBytes + 4
  if (bytes.length < start) return null
  const length =
    lengthBytes === 0 ? short : lengthBytes === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2))
  const end = start + length
  if (bytes.length < end) return null
  return { mask: bytes.subarray(start - 4, start), payload: bytes.subarray(start, end), end }
}

function unmask(payload: Buffer, mask: Buffer): Buffer {
  return Buffer.from(payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0)))
}
