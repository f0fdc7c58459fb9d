import unhomoglyph from 'unhomoglyph'
import { toLowerAscii } from './to-lower-ascii.ts'

/** Replaces characters that look the same by one of them (Unicode's confusables, UTS 39). Of upper case, I looks like l. */
const toSkeleton = (text: string) => unhomoglyph(unhomoglyph(dropDots(text.normalize('NFD'))).toLowerCase())

/** A dot above a letter that has one can't be seen. Lower case of U+0130 is such a letter. */
const dropDots = (text: string) => text.replaceAll('I\u0307', 'i').replaceAll(/(?<=[ij])\u0307/g, '')

type ToUnicode = (label: string) => string

/** Decodes the labels of a domain that are stored as `xn--…`. */
const toReadable = (email: string, toUnicode: ToUnicode) =>
  email.replace(/xn--[^.@]+/gi, (label) => toUnicode(label) || label)

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII includes the control characters
const isAscii = (text: string) => /^[\x00-\x7f]*$/.test(text)

/** Whether an email beyond ASCII looks like one of ASCII: for who knows no other emails that it may look like. */
export function imitatesAscii(email: string, toUnicode: ToUnicode): boolean {
  const readable = toReadable(email, toUnicode)
  return !isAscii(readable) && isAscii(toSkeleton(readable))
}

/**
 * Maps each email that looks like another one to the first of those. `toUnicode` decodes a label; it may return an empty text for
 * one that it can't decode.
 */
export function findLookAlikes(emails: Iterable<string>, toUnicode: ToUnicode): Map<string, string> {
  const groups = Map.groupBy(new Set(emails), (email) => toSkeleton(toReadable(email, toUnicode)))
  const pairs = [...groups.values()].flatMap((group) =>
    group.map(
      (email) => [email, group.find((other) => toLowerAscii(other) !== toLowerAscii(email))] as const,
    ),
  )
  return new Map(pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined))
}
