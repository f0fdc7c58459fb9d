/**
 * Returns the CRC-32 of two concatenated texts from the CRC-32 of each. `secondShift` is `computeCrcShift` of the second's
 * length.
 * @see https://github.com/madler/zlib/blob/develop/crc32.c (crc32_combine, multmodp, x2nmodp)
 */
export function combineCrc32(first: number, second: number, secondShift: number): number {
  return (multiply(secondShift, first) ^ second) >>> 0
}

const polynomial = 0xedb88320
const identity = 0x80000000
/** x⁸, the effect of one zero byte on a CRC. */
const zeroByteShift = 0x00800000

/** a(x) × b(x) modulo the polynomial, with reflected bits as in CRC-32. */
function multiply(a: number, b: number): number {
  let product = 0
  let factor = b
  for (let bit = identity; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= factor
    factor = factor & 1 ? (factor >>> 1) ^ polynomial : factor >>> 1
  }
  return product >>> 0
}

/** Returns the effect of `bytes` further bytes on a CRC: x to the power of 8 × bytes, by repeated squaring. */
export function computeCrcShift(bytes: number): number {
  let power = identity
  let square = zeroByteShift
  for (let rest = bytes; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) power = multiply(square, power)
    square = multiply(square, square)
  }
  return power
}
