import { describe, expect, test } from 'vitest'
import { readFirebaseConfig } from './firebase.ts'

const real = {
  VITE_FIREBASE_API_KEY: 'AIzaSyD-0123456789_abcdefghijklmnopqrs0',
  VITE_FIREBASE_PROJECT_ID: 'our-register-1a2b',
}
const emulators = {
  VITE_FIREBASE_AUTH_EMULATOR: '127.0.0.1:9099',
  VITE_FIREBASE_FIRESTORE_EMULATOR: 'localhost:8085',
}

describe('the configuration of a build for Firebase', () => {
  test('a real project: its key and its id, and no emulators', () => {
    expect(readFirebaseConfig(real)).toEqual({
      apiKey: real.VITE_FIREBASE_API_KEY,
      projectId: real.VITE_FIREBASE_PROJECT_ID,
    })
  })

  test('a demo project: with the emulators that are named', () => {
    const config = readFirebaseConfig({ ...real, ...emulators, VITE_FIREBASE_PROJECT_ID: 'demo-staffbook' })
    expect(config.emulators).toEqual({ auth: '127.0.0.1:9099', firestore: 'localhost:8085' })
  })

  test('every value that is missing or malformed is named, in one error', () => {
    const wrong = {
      VITE_FIREBASE_API_KEY: 'AIza with spaces',
      VITE_FIREBASE_AUTH_EMULATOR: 'http://127.0.0.1:1',
    }
    expect(() => readFirebaseConfig(wrong)).toThrow(
      /API_KEY is malformed[\s\S]*PROJECT_ID is missing[\s\S]*AUTH_EMULATOR is malformed[\s\S]*FIRESTORE_EMULATOR is missing/,
    )
  })

  test('emulators are refused for a project that could be real', () => {
    expect(() => readFirebaseConfig({ ...real, ...emulators })).toThrow(/PROJECT_ID must begin with demo-/)
  })

  test('a wrong value is not repeated: it may be a secret in the wrong place', () => {
    const wrong = { ...real, VITE_FIREBASE_API_KEY: 'my secret' }
    expect(() => readFirebaseConfig(wrong)).toThrow(/^(?![\s\S]*my secret)/)
  })
})
