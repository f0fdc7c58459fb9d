/** The form in which two emails are compared. */
export function toEmailKey(email: string): string {
  return email.normalize('NFC').trim().toLowerCase()
}
