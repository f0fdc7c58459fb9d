/**
 * Which versions of Node are good: the only place that says so. Plain JavaScript without imports, because scripts/run.js and
 * bin/staffbook load it on any Node.
 */

/** Names the supported versions in messages. */
export const supportedNodes = 'Node 24.16 or newer, but not 25 or 26.0'

/**
 * Whether node:sqlite stores text completely: it truncates at U+0000 before 24.16 and 26.1, and in all of 25.
 * @param {string} version
 */
export function isSupportedNode(version) {
  const [major, minor] = parse(version)
  return (major === 24 && minor >= 16) || (major === 26 && minor >= 1) || major > 26
}

/** The first versions with the security fixes of October 2026. */
const patchedVersions = ['24.22.1', '26.12.1']

/**
 * The version of the same major that fixes a known vulnerability of this one; undefined if none is known.
 * @param {string} version
 */
export function findPatchedNode(version) {
  return patchedVersions.find((patched) => isOlder(parse(version), parse(patched)))
}

/**
 * Within the same major.
 * @param {[number, number, number]} a
 * @param {[number, number, number]} b
 */
function isOlder(a, b) {
  return a[0] === b[0] && (a[1] < b[1] || (a[1] === b[1] && a[2] < b[2]))
}

/**
 * @param {string} version
 * @returns {[number, number, number]}
 */
function parse(version) {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number.parseFloat)
  return [major, minor, patch]
}
