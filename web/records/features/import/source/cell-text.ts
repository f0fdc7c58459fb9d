/** The text that a formula such as `"00123"` is. Programs write it to keep zeros. */
export function findConstant(formula: string): string | undefined {
  const [, text] = /^\s*(?:T\(\s*)?"((?:[^"]|"")*)"\s*(?:\)\s*)?$/.exec(formula) ?? []
  return text?.replaceAll('""', '"')
}

/** What spreadsheets in several languages show in a cell that failed, such as `#N/A`. */
const errorText =
  /^(#(N\/A|REF!|NAME\?|VALUE!|DIV\/0!|NULL!|NUM!|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|GETTING_DATA|ERROR!|NV|BEZUG!|WERT!|ZAHL!|ÜBERLAUF!|N\/D|¡REF!|¿NOMBRE\?|¡VALOR!|¡NUM!|¡DIV\/0!|¡NULO!|NOM\s?\?|VALEUR!|NOMBRE!|NUL!|ССЫЛКА!|ИМЯ\?|ЗНАЧ!|ДЕЛ\/0!|ЧИСЛО!|Н\/Д)|Err:\d{3})$/

export const isErrorText = (text: string) => text.length < 20 && errorText.test(text.trim())
