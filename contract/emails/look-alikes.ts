import unhomoglyph from 'unhomoglyph'
import { toEmailKey } from '../accounts.ts'

/** Replaces characters that look the same by one of them (Unicode's confusables, UTS 39). Of upper case, I looks like l. */
const toSkeleton = (text: string) => unhomoglyph(unhomoglyph(text.normalize('NFD')).toLowerCase())

/**
 * Maps each email that looks like another one to the first of those. `toUnicode` decodes the labels of a domain that are stored as
 * `xn--…`; it may return an empty text for those that it can't.
 */
export function findLookAlikes(
  emails: Iterable<string>,
  toUnicode: (label: string) => string,
): Map<string, string> {
  const toReadable = (email: string) => email.replace(/xn--[^.@]+/gi, (label) => toUnicode(label) || label)
  const groups = Map.groupBy(new Set(emails), (email) => toSkeleton(toReadable(email)))
  const pairs = [...groups.values()].flatMap((group) =>
    group.map((email) => [email, group.find((other) => toEmailKey(other) !== toEmailKey(email))] as const),
  )
  return new Map(pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined))
}
