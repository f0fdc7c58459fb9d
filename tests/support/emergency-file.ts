import { decryptRecords, readCode, readEncrypted } from '../../contract/emergency.ts'

/** Returns the content of an emergency file, as its viewer reads it; null if the file is damaged or has another code. */
export function openEmergencyFile(html: string, code: string) {
  const [, base64 = ''] = /id="records">(.*)<\/script>/.exec(html) ?? []
  const [encrypted, key] = [readEncrypted(base64), readCode(code)]
  return encrypted && key && decryptRecords(encrypted, key)
}
