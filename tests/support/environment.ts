const inheritedVariables = /^(PATH|HOME|USERPROFILE|TMPDIR|TEMP|TMP|SystemRoot|NODE_COMPILE_CACHE)$/i

/**
 * What any process needs of this one's environment, and nothing of ours: a tester's own DATA_DIR, BACKUP_DIR or
 * RECORDS_KEY never reaches a server under test.
 */
export function minimalEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => inheritedVariables.test(name))
  // Without a bus, programs start no services of a desktop, which outlive them and mount folders in that of the test.
  return { ...Object.fromEntries(inherited), DBUS_SESSION_BUS_ADDRESS: 'disabled:' }
}
