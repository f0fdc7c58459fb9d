/** Client configuration of a Firebase project. It contains no secrets. */
export interface FirebaseConfig {
  apiKey: string
  projectId: string
  /** `host:port` of local emulators. For demo projects only. */
  emulators?: { auth: string; firestore: string }
}

const variableRules = {
  VITE_FIREBASE_API_KEY: {
    pattern: /^[\w-]{20,100}$/,
    like: 'the apiKey of your web app, 39 letters and digits',
  },
  VITE_FIREBASE_PROJECT_ID: {
    pattern: /^[a-z][a-z0-9-]{4,28}[a-z0-9]$/,
    like: 'the projectId of your web app',
  },
} as const

const emulatorRules = {
  VITE_FIREBASE_AUTH_EMULATOR: { pattern: /^[\w.-]+:\d+$/, like: 'host:port' },
  VITE_FIREBASE_FIRESTORE_EMULATOR: { pattern: /^[\w.-]+:\d+$/, like: 'host:port' },
} as const

/**
 * Reads the configuration from the environment. Throws one error that names every missing or malformed variable. Refuses
 * emulators for a project that could be real, because they do not verify tokens.
 */
export function readFirebaseConfig(env: Record<string, string | undefined>): FirebaseConfig {
  const { VITE_FIREBASE_API_KEY: apiKey = '', VITE_FIREBASE_PROJECT_ID: projectId = '' } = env
  const { VITE_FIREBASE_AUTH_EMULATOR: auth = '', VITE_FIREBASE_FIRESTORE_EMULATOR: firestore = '' } = env
  const usesEmulators = auth !== '' || firestore !== ''
  const problems = Object.entries({ ...variableRules, ...(usesEmulators ? emulatorRules : {}) })
    .filter(([name, { pattern }]) => !pattern.test(env[name] ?? ''))
    .map(([name, { like }]) => `${name} is ${env[name] ? 'malformed' : 'missing'}: it is ${like}`)
  if (usesEmulators && !projectId.startsWith('demo-')) {
    problems.push('VITE_FIREBASE_PROJECT_ID must begin with demo- where emulators are named')
  }
  if (problems.length > 0)
    throw new Error(`The Firebase configuration is not complete.\n  ${problems.join('\n  ')}`)
  return { apiKey, projectId, ...(usesEmulators ? { emulators: { auth, firestore } } : {}) }
}
