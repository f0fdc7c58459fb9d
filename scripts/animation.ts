// Records the page for the README as an animated WebP, whose frames Chromium encodes.
import { writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'

interface Frame {
  webp: Buffer
  durationMs: number
}

/** Takes screenshots of a page, and writes them as an animation of this size in CSS pixels. */
export async function startAnimation(page: Page, { width, height }: { width: number; height: number }) {
  const session = await page.context().newCDPSession(page)
  const frames: Frame[] = []
  return {
    async addFrame(durationMs: number) {
      const options = { format: 'webp', quality: 70 } as const
      const { data } = await session.send('Page.captureScreenshot', options)
      frames.push({ webp: Buffer.from(data, 'base64'), durationMs })
    },
    write: (path: string) => writeFileSync(path, joinFrames(frames, width, height)),
  }
}

/** @see https://developers.google.com/speed/webp/docs/riff_container */
function joinFrames(frames: readonly Frame[], width: number, height: number): Buffer {
  const size = [...toBytes(width - 1, 3), ...toBytes(height - 1, 3)]
  const [animationFlag, endlessly, inPlace] = [2, [0, 0], 2]
  const chunks = [
    toChunk('VP8X', [animationFlag, 0, 0, 0, ...size]),
    toChunk('ANIM', [0, 0, 0, 0, ...endlessly]),
    ...frames.map(({ webp, durationMs }) =>
      toChunk('ANMF', toBytes(0, 6), size, toBytes(durationMs, 3), [inPlace], findImage(webp)),
    ),
  ]
  return toChunk('RIFF', Buffer.from('WEBP'), ...chunks)
}

const toBytes = (number: number, count: number) =>
  Array.from({ length: count }, (_, index) => Math.floor(number / 256 ** index) % 256)

function toChunk(name: string, ...parts: ArrayLike<number>[]): Buffer {
  const data = Buffer.concat(parts.map((part) => Uint8Array.from(part)))
  const padding = Buffer.alloc(data.length % 2)
  return Buffer.concat([Buffer.from(name), Buffer.from(toBytes(data.length, 4)), data, padding])
}

/** The chunk with the picture of a file that has one. */
function findImage(webp: Buffer): Buffer {
  for (let offset = 12; offset < webp.length; ) {
    const name = webp.toString('latin1', offset, offset + 4)
    const end = offset + 8 + webp.readUInt32LE(offset + 4)
    if (name === 'VP8 ' || name === 'VP8L') return webp.subarray(offset, end + (end % 2))
    offset = end + (end % 2)
  }
  throw new Error('The browser wrote no WebP picture.')
}
