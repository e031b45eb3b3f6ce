import { readdirSync, readFileSync } from 'node:fs'
import { packageFile } from '../node/package-files.ts'

/** A how-to page of the documentation. */
interface Guide {
  /** Its name in addresses, such as `push-events`. */
  readonly name: string
  readonly title: string
  /** Markdown. */
  readonly text: string
}

const folder = packageFile('docs/how-to/')

let read: readonly Guide[] | undefined

/** The how-to pages, in the order of their names; they are read once. */
export function guides(): readonly Guide[] {
  read ??= readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .toSorted()
    .map((file) => {
      const text = readFileSync(new URL(file, folder), 'utf8')
      return { name: file.slice(0, -'.md'.length), title: /^# (.+)$/m.exec(text)?.[1] ?? file, text }
    })
  return read
}
