import { includesTerm, type Searchable } from './normalize-text.ts'

/** Whether each term is in one of the texts. */
export const hasTerms = (terms: readonly string[], ...texts: (Searchable | undefined)[]): boolean =>
  terms.every((term) => texts.some((each) => each && includesTerm(each.text, each.starts, term)))
