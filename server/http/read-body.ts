import { AppError } from '../app-error.ts'

const maxPieces = 256
const smallPieceBytes = 1024

/**
 * Reads a whole body and returns its pieces. Joins small ones, because each takes about 500 bytes of memory beyond its own.
 * Calls `onPiece` with the length of each piece; it may throw an `AppError`. Throws `invalid-request` if the body is incomplete.
 */
export async function readBody(
  payload: AsyncIterable<Buffer>,
  onPiece: (length: number) => void,
): Promise<Buffer[]> {
  const joined: Buffer[] = []
  let small: Buffer[] = []
  function join() {
    if (small.length > 0) joined.push(Buffer.concat(small))
    small = []
  }
  try {
    for await (const piece of payload) {
      onPiece(piece.length)
      if (piece.length < smallPieceBytes) small.push(piece)
      if (piece.length >= smallPieceBytes || small.length === maxPieces) join()
      if (piece.length >= smallPieceBytes) joined.push(piece)
    }
  } catch (error) {
    throw error instanceof AppError ? error : createIncompleteBodyError()
  }
  join()
  return joined
}

export const createIncompleteBodyError = () =>
  new AppError('invalid-request', { message: 'The request body is incomplete.' })
