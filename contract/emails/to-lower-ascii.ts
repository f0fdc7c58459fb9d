/**
 * Lowers letters of ASCII only, as Firestore's rules do. JavaScript lowers others to letters of another email, such as the Kelvin sign
 * (U+212A) to a k.
 */
export const toLowerAscii = (email: string): string =>
  email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
