import { closeSync, createReadStream, createWriteStream, fstatSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { importHistory } from '../history/import.ts'
import { withoutLongLines } from '../history/lines.ts'
import { decoded, linesIn } from '../http/text.ts'
import { oneFile } from './backup.ts'
import type { Invocation, Run } from './command.ts'
import { progressOn } from './progress.ts'
import { withContext } from './session.ts'

/** `otep import`: records an exported history. */
export const run: Run = async (invocation) => {
  const { values, stdout } = invocation
  const descriptor = await openHistory(oneFile(invocation), invocation)
  try {
    const progress = progressOn(invocation, 2 * fstatSync(descriptor).size)
    const bytes = () => createReadStream('', { fd: descriptor, start: 0, autoClose: false })
    const lines = () => linesIn(withoutLongLines(decoded(bytes())))
    const imported = await withContext(
      invocation,
      ({ store }, { leases }) =>
        importHistory({ ...store, leases }, lines, (bytes) => progress.at(bytes, 'checked and recorded')).finally(
          progress.end,
        ),
      { isMade: true },
    )
    if (values.json === true) stdout.write(`${JSON.stringify(imported)}\n`)
    else stdout.write(`${imported.events} events, ${imported.recorded} of them new\n`)
    return 0
  } finally {
    closeSync(descriptor)
  }
}

/** Opens a file that is read twice; the standard input is copied to an unlinked temporary file. */
async function openHistory(file: string, { stdin }: Invocation): Promise<number> {
  if (file !== '-') return openSync(file, 'r')
  const directory = mkdtempSync(join(tmpdir(), 'otep-import-'))
  let descriptor: number
  try {
    descriptor = openSync(join(directory, 'history.ndjson'), 'wx+', 0o600)
  } finally {
    // Unlink it before it contains personal data: nothing is left, however the process ends.
    rmSync(directory, { recursive: true, force: true })
  }
  await pipeline(stdin, createWriteStream('', { fd: descriptor, autoClose: false }))
  return descriptor
}
