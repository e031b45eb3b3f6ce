import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { readModels } from '../../engine/index.ts'
import { openStore } from '../engine.ts'
import { type Config, dataDirFrom, storeFrom } from '../node/config.ts'
import { modelsFileOf } from '../node/store-files.ts'
import { adoptCopy, copyModels, sealCopy, unsealCopy } from '../sqlite/models/copy.ts'
import { type Invocation, settingsOf, usageError } from './command.ts'
import { newFile, refuseStore } from './new-file.ts'
import { pluginsOf } from './session.ts'

/** `otep backup --models`: a copy of the read models of this node, while its server runs. */
export async function backUpModels(invocation: Invocation, file: string): Promise<number> {
  const { values, stdout } = invocation
  if (values.every !== undefined || values.keep !== undefined) throw usageError('--models makes one copy in one file.')
  const settings = settingsOf(invocation)
  const place = modelsFileOf(dataDirFrom(settings), storeFrom(settings))
  if (place === undefined || !existsSync(place.file))
    throw new Error('There are no read models here. Run this where the server runs, or use --data-dir DIR.')
  refuseStore(file, invocation)
  const copied = await newFile(file, values.force === true, async (partial) => {
    const held = await copyModels({ ...place, models: readModels }, partial)
    await sealCopy(partial)
    return { ...held, bytes: statSync(partial).size }
  })
  if (values.json === true) stdout.write(`${JSON.stringify({ file, ...copied })}\n`)
  else {
    const { models, rows, bytes, position = 'none' } = copied
    stdout.write(`${models} read models, ${rows} rows, ${bytes} bytes, last position ${position}\n`)
  }
  return 0
}

/** Puts a copy in place of the read models that a new node has not, if it is of the history in the store. */
export async function beginWithModels(config: Config, invocation: Invocation, copy: string): Promise<void> {
  const place = modelsFileOf(config.dataDir, config.store)
  if (place === undefined) throw usageError('A store in memory has no history that read models could be of.')
  if (existsSync(place.file)) {
    invocation.stdout.write(`${place.file} is there already, so ${copy} is not needed\n`)
    return
  }
  const { stores } = await pluginsOf(invocation)
  const store = await openStore(config.store, {}, stores)
  try {
    mkdirSync(dirname(place.file), { recursive: true, mode: 0o700 })
    // What is left of a file that was removed would be taken for a part of the copy.
    for (const end of ['-wal', '-shm']) rmSync(`${place.file}${end}`, { force: true })
    await newFile(place.file, false, async (partial) => {
      await unsealCopy(copy, partial)
      await adoptCopy({ file: partial, name: place.name, models: readModels }, store)
    })
    invocation.stdout.write(`begins with the read models in ${copy}\n`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const advice = 'Without --models-from, the server builds its read models from the first event on.'
    throw new Error(`This node cannot begin with ${copy}. ${reason} ${advice}`, { cause: error })
  } finally {
    await store.close()
  }
}
