import { createRequire } from 'node:module'

/** The version of this package. */
export function packageVersion(): string {
  const require = createRequire(import.meta.url)
  for (const path of ['../package.json', '../../package.json']) {
    try {
      return (require(path) as { version: string }).version
    } catch {}
  }
  return '0.0.0'
}
