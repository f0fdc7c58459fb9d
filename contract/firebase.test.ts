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
  test('reads the key and id of a real project, without emulators', () => {
    expect(readFirebaseConfig(real)).toEqual({
      apiKey: real.VITE_FIREBASE_API_KEY,
      projectId: real.VITE_FIREBASE_PROJECT_ID,
    })
  })

  test('reads the emulators of a demo project', () => {
    const config = readFirebaseConfig({ ...real, ...emulators, VITE_FIREBASE_PROJECT_ID: 'demo-staffbook' })
    expect(config.emulators).toEqual({ auth: '127.0.0.1:9099', firestore: 'localhost:8085' })
  })

  test('names every missing or malformed variable in one error, without its value', () => {
    const wrong = {
      VITE_FIREBASE_API_KEY: 'my secret',
      VITE_FIREBASE_AUTH_EMULATOR: 'http://127.0.0.1:1',
    }
    // It may be a secret.
    expect(() => readFirebaseConfig(wrong)).toThrow(/^(?![\s\S]*my secret)/)
    expect(() => readFirebaseConfig(wrong)).toThrow(
      /API_KEY is malformed[\s\S]*PROJECT_ID is missing[\s\S]*AUTH_EMULATOR is malformed[\s\S]*FIRESTORE_EMULATOR is missing/,
    )
  })

  test('refuses emulators for a project that could be real', () => {
    expect(() => readFirebaseConfig({ ...real, ...emulators })).toThrow(/PROJECT_ID must begin with demo-/)
  })
})
