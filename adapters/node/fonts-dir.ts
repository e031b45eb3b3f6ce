import { statSync } from 'node:fs'

/** `OTEP_FONTS_DIR`: a directory of fonts; undefined if not set. A mistake in it would only show on a label, so it is refused. */
export function fontsDirFrom(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const folder = env.OTEP_FONTS_DIR || undefined
  if (folder === undefined || statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder
  throw new Error(`OTEP_FONTS_DIR must be a directory, not ${folder}`)
}
