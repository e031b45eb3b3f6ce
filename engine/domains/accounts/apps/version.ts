import type { Versions } from './app.ts'

/** A version (Semantic Versioning 2.0.0, grammar): numbers have no leading zeros, except in the build part. */
export const versionPattern =
  /^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}(-(0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(\.(0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/

/** The version policy for an app; without a known platform, there are no limits. */
export function versionPolicy(versions: readonly Versions[], platform?: string, appVersion?: string) {
  const rule = versions.find((one) => one.platform === platform)
  const isBelow = (limit: string | undefined) =>
    limit !== undefined && appVersion !== undefined && compareVersions(appVersion, limit) < 0
  return {
    platform: platform ?? null,
    minimum_version: rule?.minimum_version ?? null,
    latest_version: rule?.latest_version ?? null,
    update_required: isBelow(rule?.minimum_version),
    update_recommended: isBelow(rule?.latest_version),
  }
}

/** Negative if `one` precedes `other` (Semantic Versioning 2.0.0, section 11). */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [partsOf(one), partsOf(other)]
  const core = compareLists(a.core, b.core)
  if (core !== 0) return core
  if (a.pre === undefined || b.pre === undefined) return Number(a.pre === undefined) - Number(b.pre === undefined)
  return compareLists(a.pre, b.pre)
}

function partsOf(version: string) {
  const [bare = ''] = version.split('+')
  const dash = bare.indexOf('-')
  const core = (dash < 0 ? bare : bare.slice(0, dash)).split('.')
  return { core, pre: dash < 0 ? undefined : bare.slice(dash + 1).split('.') }
}

function compareLists(one: readonly string[], other: readonly string[]): number {
  for (const [index, word] of one.entries()) {
    const against = other[index]
    if (against === undefined) return 1
    const order = compareWords(word, against)
    if (order !== 0) return order
  }
  return one.length - other.length
}

/** Numbers are compared by value and precede words; words are compared in ASCII order. */
function compareWords(one: string, other: string): number {
  const [a, b] = [isNumber(one), isNumber(other)]
  if (a !== b) return a ? -1 : 1
  if (!a) return compareTexts(one, other)
  const [short, long] = [one.replace(/^0+/, ''), other.replace(/^0+/, '')]
  return short.length - long.length || compareTexts(short, long)
}

function isNumber(word: string): boolean {
  return /^\d+$/.test(word)
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
