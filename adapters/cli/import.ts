import { mkdtempSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  const history = await openHistory(oneFile(invocation), invocation)
  try {
    const progress = progressOn(invocation, 2 * (await history.stat()).size)
    const lines = () => linesIn(withoutLongLines(decoded(bytesIn(history))))
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
    await history.close()
  }
}

/** Opens a file that is read twice; the standard input is copied to an unlinked temporary file. */
async function openHistory(file: string, { stdin }: Invocation): Promise<FileHandle> {
  if (file !== '-') return open(file, 'r')
  const directory = mkdtempSync(join(tmpdir(), 'otep-import-'))
  let history: FileHandle
  try {
    history = await open(join(directory, 'history.ndjson'), 'wx+', 0o600)
  } finally {
    // Unlink it before it contains personal data: nothing is left, however the process ends.
    rmSync(directory, { recursive: true, force: true })
  }
  for await (const bytes of stdin) await history.appendFile(bytes)
  return history
}

/** The bytes of a file from its beginning. A stream would close the file when its reader stops early. */
async function* bytesIn(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(65_536), position })
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    position += bytesRead
  }
}
